"""Opens sources as an editor does: what clc.toml says of them holds, and the server finds nothing wrong in it."""

import json
import os
import subprocess
import sys

server = subprocess.Popen(["clc", "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def send(method, params, number=None):
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        message["id"] = number
    body = json.dumps(message).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()


def receive():
    length = 0
    while (line := server.stdout.readline().strip()) != b"":
        name, value = line.split(b":")
        if name.lower() == b"content-length":
            length = int(value)
    if length == 0:
        sys.exit("the server has ended")
    return json.loads(server.stdout.read(length))


folder = "file://" + os.getcwd()
shown = {}


def diagnostics_of(name, text):
    uri = f"{folder}/{name}"
    document = {"uri": uri, "languageId": "opencl", "version": 1, "text": text}
    send("textDocument/didOpen", {"textDocument": document})
    while uri not in shown:
        message = receive()
        if message.get("method") == "textDocument/publishDiagnostics":
            shown[message["params"]["uri"]] = message["params"]["diagnostics"]
    return shown[uri]


os.makedirs("legacy", exist_ok=True)
send("initialize", {"processId": None, "rootUri": folder, "capabilities": {}}, 1)
send("initialized", {})
for name, version in (("new.cl", 200), ("legacy/old.cl", 110)):
    condition = f"TILE == 16 && defined(DEBUG) && __OPENCL_C_VERSION__ == {version}"
    found = diagnostics_of(name, f"#if !({condition})\n#error not as clc.toml says\n#endif\n")
    assert found == [], found
# The same is seen to fail.
found = diagnostics_of("other.cl", "#if TILE == 16\n#error as expected\n#endif\n")
assert len(found) == 1, found
wrong = {uri: found for uri, found in shown.items() if uri.endswith("clc.toml") and found}
assert not wrong, wrong
server.kill()
