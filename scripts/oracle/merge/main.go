// Kubernetes' own apply and strategic merge on built-in types, one JSON request and answer per line:
// {"do":"apply|update|strategic","apiVersion":"v1","kind":"Pod","live":{...},"object":{...},"manager":"m","force":false}
package main

import (
	"bufio"
	"encoding/json"
	"os"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/managedfields/managedfieldstest"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
)

type request struct {
	Do         string                 `json:"do"`
	APIVersion string                 `json:"apiVersion"`
	Kind       string                 `json:"kind"`
	Manager    string                 `json:"manager"`
	Force      bool                   `json:"force"`
	Live       map[string]interface{} `json:"live"`
	Object     map[string]interface{} `json:"object"`
}

type answer struct {
	Object interface{}          `json:"object,omitempty"`
	Error  string               `json:"error,omitempty"`
	Causes []metav1.StatusCause `json:"causes,omitempty"`
}

func perform(r request) (interface{}, error) {
	gvk := schema.FromAPIVersionAndKind(r.APIVersion, r.Kind)
	if r.Do == "strategic" {
		typed, err := scheme.Scheme.New(gvk)
		if err != nil {
			return nil, err
		}
		return strategicpatch.StrategicMergeMapPatch(r.Live, r.Object, typed)
	}
	live := &unstructured.Unstructured{Object: map[string]interface{}{"apiVersion": r.APIVersion, "kind": r.Kind}}
	if r.Live != nil {
		live.Object = r.Live
	}
	object := &unstructured.Unstructured{Object: r.Object}
	manager := managerFor(gvk)
	var result runtime.Object
	var err error
	if r.Do == "apply" {
		result, err = manager.Apply(live, object, r.Manager, r.Force)
	} else {
		result, err = manager.Update(live, object, r.Manager)
	}
	if err != nil {
		return nil, err
	}
	return result.(*unstructured.Unstructured).Object, nil
}

var managers = map[schema.GroupVersionKind]*managedfields.FieldManager{}

func managerFor(gvk schema.GroupVersionKind) *managedfields.FieldManager {
	if managers[gvk] == nil {
		managers[gvk] = managedfieldstest.NewFakeFieldManager(applyconfigurations.NewTypeConverter(scheme.Scheme), gvk)
	}
	return managers[gvk]
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 16<<20)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		var r request
		var a answer
		if err := utiljson.Unmarshal(in.Bytes(), &r); err != nil {
			a.Error = err.Error()
		} else if object, err := perform(r); err != nil {
			a.Error = err.Error()
			if status, ok := err.(errors.APIStatus); ok && status.Status().Details != nil {
				a.Causes = status.Status().Details.Causes
			}
		} else {
			a.Object = object
		}
		out.Encode(a)
	}
}
