// Starts `clc lsp` and connects it to the editor; everything else is the server's.

"use strict";

const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
  const command = workspace.getConfiguration("clc").get("path", "clc");
  client = new LanguageClient(
    "clc",
    "OpenCL C (clc)",
    { command, args: ["lsp"] },
    {
      documentSelector: [{ language: "opencl" }, { pattern: "**/clc.toml" }],
      initializationOptions: {},
    },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    window.showErrorMessage(
      `\`${command} lsp\` does not start: ${error.message}. The setting clc.path says where clc is.`,
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

exports.activate = async (context) => {
  const restart = async () => {
    await stop();
    await start();
  };
  context.subscriptions.push(
    commands.registerCommand("clc.restart", restart),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("clc.path")) restart();
    }),
  );
  await start();
};

exports.deactivate = stop;
