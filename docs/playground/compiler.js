// The compiler's WebAssembly module as an object with one method. The other half is `crates/clc-web`.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/// The compiler was ended by a broken invariant, or by the limits of the browser: make a new one.
export class CompilerEnded extends Error {}

export class Compiler {
  #exports;
  #panic = null;

  /// Of a `WebAssembly.Module`.
  static async of(module) {
    const compiler = new Compiler();
    const panicked = (at, length) => {
      compiler.#panic = decoder.decode(new Uint8Array(compiler.#exports.memory.buffer, at, length));
    };
    const instance = await WebAssembly.instantiate(module, { page: { panicked } });
    compiler.#exports = instance.exports;
    instance.exports.clc_web_start();
    return compiler;
  }

  /// Compiles `{ name, source, options, passes }`. Returns what `Answer::to` of the crate describes, and
  /// the bytes of the module as `module`.
  compile(request) {
    const { memory, ...clc } = this.#exports;
    const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
    try {
      const text = encoder.encode(JSON.stringify(request));
      const at = clc.clc_web_allocate(text.length);
      bytes(at, text.length).set(text);
      const answer = clc.clc_web_compile(at, text.length);
      const json = bytes(clc.clc_web_json(answer), clc.clc_web_json_length(answer));
      const module = bytes(clc.clc_web_module(answer), clc.clc_web_module_length(answer));
      const result = { ...JSON.parse(decoder.decode(json)), module: module.slice() };
      clc.clc_web_free(answer);
      return result;
    } catch (error) {
      // A trap, or the end of the stack: whatever the instance holds is of no use any more.
      throw new CompilerEnded(this.#panic ?? error.message, { cause: error });
    }
  }
}
