"""cloud-init's own verdict on documents, and its reading of them: a JSON list on stdin, a JSON list on stdout.

Each item is {"kind": "cloud-config"|"network-config"|"multipart"|"network"|"openstack", "text": ...}. The functions
are those that `cloud-init schema --config-file` calls, and those that the guest calls at boot.
"""

import contextlib
import io
import json
import os
import sys
import tempfile

import yaml
from cloudinit import distros, helpers, user_data  # noqa: F401 (distros first: its modules import each other)
from cloudinit.config import schema
from cloudinit.net import eni, netplan, network_state, networkd
from cloudinit.sources.helpers import openstack

# a machine with netplan would validate version 2 with it instead of the schema
netplan.available = lambda *_, **__: False
schema.LIBNETPLAN_AVAILABLE = False

KINDS = {"cloud-config": schema.SchemaType.CLOUD_CONFIG, "network-config": schema.SchemaType.NETWORK_CONFIG}


def validate(kind, text, directory):
    path = os.path.join(directory, "document")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            validated = schema.validate_cloudconfig_file(path, schema.get_schema(KINDS[kind]), KINDS[kind])
    except (schema.SchemaValidationError, RuntimeError) as error:
        return {"accepted": False, "said": str(error)}
    return {"accepted": True, "validated": validated, "said": said.getvalue(), "read": yaml.safe_load(text)}


def parts(text, directory):
    paths = helpers.Paths({"cloud_dir": directory, "run_dir": directory})
    message = user_data.UserDataProcessor(paths).process(text)
    return [
        {"type": part.get_content_type(), "text": part.get_payload(decode=True).decode("utf-8")}
        for part in message.walk()
        if not part.is_multipart()
    ]


def rendered(config, directory):
    """What the guest writes, by each of the distributions' ways."""
    renderers = {
        "ifupdown": eni.Renderer({}),
        "networkd": networkd.Renderer({}),
        "netplan": netplan.Renderer({"netplan_path": "etc/netplan/x.yaml", "postcmds": False}),
    }
    files = {}
    for name, renderer in renderers.items():
        target = tempfile.mkdtemp(dir=directory)
        renderer.render_network_state(network_state.parse_net_config_data(config), target=target)
        found = [os.path.join(where, file) for where, _, files in os.walk(target) for file in sorted(files)]
        files[name] = "\n".join(open(path, encoding="utf-8").read() for path in sorted(found))
    return files


def answer(kind, text, directory):
    if kind == "multipart":
        return parts(text, directory)
    if kind == "network":
        return rendered(yaml.safe_load(text), directory)
    if kind == "openstack":
        return openstack.convert_net_json(json.loads(text), known_macs={"02:00:00:00:00:01": "eth0"})
    return validate(kind, text, directory)


def main():
    with tempfile.TemporaryDirectory() as directory:
        answers = [answer(item["kind"], item["text"], directory) for item in json.load(sys.stdin)]
    json.dump(answers, sys.stdout, default=str)


main()
