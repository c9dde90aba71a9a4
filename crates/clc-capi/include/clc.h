/* libclc_compiler: OpenCL C to SPIR-V, in-process.
 *
 * Made by cbindgen; the text of the comments is in crates/clc-capi/src.
 *
 * Every function takes null for every pointer. Text that comes in need not be UTF-8; text that goes
 * out is, and ends in a NUL. Nothing is printed, and no file is read unless an option names a folder to
 * look for include files in. What a result points to lives as long as the result. Results and options do
 * not change while they are read, so any number of threads may share them; an options object that is
 * being changed is one thread's.
 */

#ifndef CLC_H
#define CLC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The length of a string that ends where its NUL is.
 */
#define CLC_NUL_TERMINATED ((size_t)-1)

/**
 * The version of this header: it grows with whatever is added. What is there keeps its meaning.
 */
#define CLC_API_VERSION 1



/**
 * How a file is asked for.
 */
typedef enum clc_include_kind {
  /**
   * `#include "name"`, and `-include name`
   */
  CLC_INCLUDE_KIND_QUOTE = 0,
  /**
   * `#include <name>`
   */
  CLC_INCLUDE_KIND_ANGLE = 1,
  /**
   * `#include_next`
   */
  CLC_INCLUDE_KIND_NEXT = 2,
} clc_include_kind;

/**
 * How something ended; the exit codes of the command.
 */
typedef enum clc_status {
  /**
   * Done. There may be warnings.
   */
  CLC_STATUS_OK = 0,
  /**
   * The source has errors.
   */
  CLC_STATUS_SOURCE_ERRORS = 1,
  /**
   * An argument or an option is wrong.
   */
  CLC_STATUS_USAGE = 2,
  /**
   * A bug in the compiler, never in the source; the log says what to report.
   */
  CLC_STATUS_INTERNAL_ERROR = 70,
} clc_status;

/**
 * How bad a problem is.
 */
typedef enum clc_severity {
  /**
   * A remark.
   */
  CLC_SEVERITY_NOTE = 0,
  /**
   * The source is compiled.
   */
  CLC_SEVERITY_WARNING = 1,
  /**
   * There is no output.
   */
  CLC_SEVERITY_ERROR = 2,
  /**
   * An error behind which nothing was looked at.
   */
  CLC_SEVERITY_FATAL = 3,
} clc_severity;

/**
 * A question for an include file, and its answer. Lives while the callback runs, on the thread that it
 * runs on.
 */
typedef struct clc_include clc_include;

/**
 * Options of compilations, in the spelling of the command `clc` and of clBuildProgram.
 */
typedef struct clc_options clc_options;

/**
 * What a compilation gave. It does not change: any number of threads may read it.
 */
typedef struct clc_result clc_result;

/**
 * Brings in include files: looks at what is asked for (clc_include_name() and the like) and answers by
 * clc_include_provide() or clc_include_fail(), or not at all if there is no such file. It is called by
 * the thread that compiles, for `__has_include` too, and may be called again for the same file. It may
 * compile. It must return: no exception, no longjmp. A null includer has no files.
 */
typedef void (*clc_includer)(void *user_data, struct clc_include *include);

/**
 * A part of a file, walked out of macros; `#line` is not applied. Nowhere, if `file` is null.
 */
typedef struct clc_place {
  /**
   * The name of the file.
   */
  const char *file;
  /**
   * From 1 on.
   */
  uint32_t line;
  /**
   * In characters, from 1 on.
   */
  uint32_t column;
  /**
   * The line of the end.
   */
  uint32_t end_line;
  /**
   * One behind the last character.
   */
  uint32_t end_column;
  /**
   * Bytes in front of it in the file.
   */
  uint32_t byte_start;
  /**
   * Bytes in front of its end.
   */
  uint32_t byte_end;
} clc_place;

/**
 * A place, and what to say about it.
 */
typedef struct clc_label {
  /**
   * Where.
   */
  struct clc_place place;
  /**
   * What is wrong with this very part, or what it has to do with the problem.
   */
  const char *message;
} clc_label;

/**
 * An edit that makes the problem go away.
 */
typedef struct clc_fix {
  /**
   * What is replaced; empty to insert.
   */
  struct clc_place place;
  /**
   * The new text.
   */
  const char *replacement;
  /**
   * The edit in words.
   */
  const char *message;
} clc_fix;

/**
 * An error or a warning. Later versions may have more behind the last field, so it is never copied.
 * Strings are never null, but for the file of a place that is nowhere.
 */
typedef struct clc_diagnostic {
  /**
   * "E0312", "W0107": it never changes; `clc --explain` explains it.
   */
  const char *code;
  /**
   * What `-W` calls a warning; for an error a title of the same form.
   */
  const char *name;
  /**
   * How bad it is.
   */
  enum clc_severity severity;
  /**
   * One sentence without a full stop.
   */
  const char *message;
  /**
   * The place that is wrong, and why.
   */
  struct clc_label primary;
  /**
   * The number of places that explain.
   */
  size_t label_count;
  /**
   * The places that explain.
   */
  const struct clc_label *labels;
  /**
   * The number of facts without a place.
   */
  size_t note_count;
  /**
   * Facts without a place.
   */
  const char *const *notes;
  /**
   * The number of ways out that are no edit.
   */
  size_t help_count;
  /**
   * The ways out that are no edit.
   */
  const char *const *helps;
  /**
   * The way out that is an edit, or null.
   */
  const struct clc_fix *fix;
} clc_diagnostic;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The CLC_API_VERSION of the library that the program runs with.
 */
uint32_t clc_api_version(void);

/**
 * The version of the compiler, "1.2.3"; never freed.
 */
const char *clc_version(void);

/**
 * Compiles a source. Any number of threads may compile at the same time, with the same options too.
 *
 * `options` may be null, for those of clc_options_new(). `name` is what diagnostics call the source;
 * null for "<source>". The source has `length` bytes, whatever they are, or ends at its NUL if that is
 * CLC_NUL_TERMINATED. `includer` is asked for include files, with `user_data`, and may be null.
 *
 * Returns a result in any case, which is freed by clc_result_free().
 *
 * `options` is null or comes from this library and is neither freed nor changed meanwhile; `name` is null
 * or a string; `source` is null, with a length of 0, or points to so many bytes; `includer` does what
 * clc_includer says.
 */
struct clc_result *clc_compile(const struct clc_options *options,
                               const char *name,
                               const char *source,
                               size_t length,
                               clc_includer includer,
                               void *user_data);

/**
 * What is written between the quotes or angle brackets; never null in the callback.
 *
 * `include` is null or what the callback was given.
 */
const char *clc_include_name(const struct clc_include *include);

/**
 * The name of the including file: that of the source, or the one that was provided with the file;
 * "<command line>" for `-include`.
 *
 * `include` is null or what the callback was given.
 */
const char *clc_include_from(const struct clc_include *include);

/**
 * How the file is asked for.
 *
 * `include` is null or what the callback was given.
 */
enum clc_include_kind clc_include_get_kind(const struct clc_include *include);

/**
 * Answers with a file, which is copied: `length` bytes, or what is before a NUL if it is
 * CLC_NUL_TERMINATED. `name` is the identity of the file for `#pragma once`, and what diagnostics and
 * `__FILE__` show; null for the name that was asked for. `system` keeps warnings about the file from
 * being shown. Bytes that cannot be there, as with a null `contents` and a length, are an error of the
 * `#include` and the status CLC_STATUS_USAGE.
 *
 * `include` is null or what the callback was given; `name` is null or a string; `contents` is null or
 * points to so many bytes.
 */
enum clc_status clc_include_provide(struct clc_include *include,
                                    const char *name,
                                    const char *contents,
                                    size_t length,
                                    bool system);

/**
 * Answers that there is such a file, but that it cannot be read, with the reason.
 *
 * `include` is null or what the callback was given; `reason` is null or a string.
 */
void clc_include_fail(struct clc_include *include, const char *reason);

/**
 * Options as the command has them without any: OpenCL C 1.2, for drivers of OpenCL 3.0, optimised.
 * Freed by clc_options_free().
 */
struct clc_options *clc_options_new(void);

/**
 * A copy, which is freed on its own; new options of null.
 *
 * `options` is null or comes from this library and was not freed.
 */
struct clc_options *clc_options_copy(const struct clc_options *options);

/**
 * Frees options; results that were made with them stay.
 *
 * `options` is null or comes from this library and was not freed.
 */
void clc_options_free(struct clc_options *options);

/**
 * Adds options, one string each: "-cl-std=CL2.0", "-DN=4", "-I", "include", "--target-env=vulkan1.3".
 * All that `clc --help` lists is taken but what names a file to read or write. If one of them is
 * wrong, none is added, the status is CLC_STATUS_USAGE and clc_options_message() says why.
 *
 * With `-I` or `-isystem` include files are looked for in the file system, as the command does; without
 * them no file is ever read.
 *
 * `options` is null or comes from this library, was not freed, and no other thread uses it during the call.
 * `arguments` is null or points to `count` pointers, each null or to a string.
 */
enum clc_status clc_options_parse(struct clc_options *options,
                                  size_t count,
                                  const char *const *arguments);

/**
 * The same with all options in one string, as clBuildProgram has them: separated by white space,
 * which quotes and a backslash keep in an option.
 *
 * As for clc_options_parse(); `text` is null, for no options, or a string.
 */
enum clc_status clc_options_parse_text(struct clc_options *options, const char *text);

/**
 * What was wrong with the options that were added last, or odd about them if they were taken; null if
 * nothing was. Lives until options are added again or freed.
 *
 * `options` is null or comes from this library and was not freed.
 */
const char *clc_options_message(const struct clc_options *options);

/**
 * Adds one option and its value, as one string each: ("-D", "N=4"), ("-cl-std", "CL2.0"). A null
 * `value` is none.
 *
 * As for clc_options_parse(); `name` and `value` are null or strings.
 */
enum clc_status clc_options_set(struct clc_options *options, const char *name, const char *value);

/**
 * Frees a result and all that it points to.
 *
 * `result` is null or comes from clc_compile() and was not freed.
 */
void clc_result_free(struct clc_result *result);

/**
 * How the compilation ended; CLC_STATUS_USAGE for null.
 *
 * `result` is null or comes from clc_compile() and was not freed.
 */
enum clc_status clc_result_status(const struct clc_result *result);

/**
 * The words of the module, in the byte order of this machine, and their number in `*count`; null and 0
 * if there is none. `count` may be null.
 *
 * `result` is null or comes from clc_compile() and was not freed; `count` is null or points to a number
 * that may be written.
 */
const uint32_t *clc_result_spirv(const struct clc_result *result,
                                 size_t *count);

/**
 * What was asked for, as bytes, and their number in `*length`: the module's, or with options like `-S`,
 * `-E` and `--emit=ir` a text, behind which there is a NUL that is not counted. Null and 0 if there is
 * nothing. `length` may be null.
 *
 * As for clc_result_spirv().
 */
const char *clc_result_output(const struct clc_result *result,
                              size_t *length);

/**
 * What a host must know to launch the kernels, as JSON (docs/reflection.md has the fields); null
 * without a module.
 *
 * As for clc_result_status().
 */
const char *clc_result_reflection(const struct clc_result *result);

/**
 * All messages, as the command shows them (`--message-format`, `--color`); "" if there are none, and
 * null for null.
 *
 * As for clc_result_status().
 */
const char *clc_result_log(const struct clc_result *result);

/**
 * The number of errors and warnings.
 *
 * As for clc_result_status().
 */
size_t clc_result_diagnostic_count(const struct clc_result *result);

/**
 * An error or a warning, in the order in which they are shown; null if there are not so many.
 *
 * As for clc_result_status().
 */
const struct clc_diagnostic *clc_result_diagnostic(const struct clc_result *result, size_t index);

/**
 * The number of files that were included.
 *
 * As for clc_result_status().
 */
size_t clc_result_dependency_count(const struct clc_result *result);

/**
 * The name of a file that was included, each once, in the order of first use; null if there are not so
 * many.
 *
 * As for clc_result_status().
 */
const char *clc_result_dependency(const struct clc_result *result,
                                  size_t index);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CLC_H */
