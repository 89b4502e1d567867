import type * as ast from 'typescript/unstable/ast'
import type { Source } from './source.ts'
import type { Paths } from './values.ts'

/** The names of a call under way. */
export type Env = { parent: Env | null; values: Map<ast.Node, unknown> }

export type Callable = ast.FunctionDeclaration | ast.ArrowFunction | ast.FunctionExpression | ast.MethodDeclaration

/** One way through the program to one statement. */
export type Run = {
  source: Source
  paths: Paths
  lazy: Map<ast.Node, unknown>
  /** By a function, one of those who call it. */
  callers: Map<ast.Node, ast.CallExpression | null>
  /** The pieces of SQL that were met. */
  met: Set<ast.Node>
  /** What an expression is on this way, told from the text of the program alone. */
  evaluate(node: ast.Expression, env: Env | null): unknown
  /** A function of the program, as one that can be called here. */
  closure(declared: Callable, env: Env | null): (...given: unknown[]) => unknown
}
