"""cloud-init's own judgement and reading of documents: a JSON list on stdin, a JSON list on stdout.

Each item is {"kind": "cloud-config"|"network-config"|"multipart", "text": ...}. The functions are those that
`cloud-init schema --config-file` calls.
"""

import contextlib
import io
import json
import os
import sys
import tempfile

import yaml
from cloudinit import helpers, user_data
from cloudinit.config import schema
from cloudinit.net import netplan

# a machine with netplan would judge version 2 by that instead of the schema
netplan.available = lambda *_, **__: False
schema.LIBNETPLAN_AVAILABLE = False

KINDS = {"cloud-config": schema.SchemaType.CLOUD_CONFIG, "network-config": schema.SchemaType.NETWORK_CONFIG}


def judge(kind, text, directory):
    path = os.path.join(directory, "document")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            judged = schema.validate_cloudconfig_file(path, schema.get_schema(KINDS[kind]), KINDS[kind])
    except (schema.SchemaValidationError, RuntimeError) as error:
        return {"accepted": False, "said": str(error)}
    return {"accepted": True, "judged": judged, "said": said.getvalue(), "read": yaml.safe_load(text)}


def parts(text, directory):
    paths = helpers.Paths({"cloud_dir": directory, "run_dir": directory})
    message = user_data.UserDataProcessor(paths).process(text)
    return [
        {"type": part.get_content_type(), "text": part.get_payload(decode=True).decode("utf-8")}
        for part in message.walk()
        if not part.is_multipart()
    ]


def main():
    with tempfile.TemporaryDirectory() as directory:
        answers = [
            parts(item["text"], directory)
            if item["kind"] == "multipart"
            else judge(item["kind"], item["text"], directory)
            for item in json.load(sys.stdin)
        ]
    json.dump(answers, sys.stdout, default=str)


main()
