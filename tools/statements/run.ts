import type * as ast from 'typescript/unstable/ast'
import type { Source } from './source.ts'
import type { Paths } from './values.ts'

/** The variables of a running call. */
export type Env = { parent: Env | null; values: Map<ast.Node, unknown> }

export type Callable = ast.FunctionDeclaration | ast.ArrowFunction | ast.FunctionExpression | ast.MethodDeclaration

/** One path through the program to one statement. */
export type Run = {
  source: Source
  paths: Paths
  lazy: Map<ast.Node, unknown>
  /** The chosen caller of each function. */
  callers: Map<ast.Node, ast.CallExpression | null>
  /** The SQL fragments evaluated. */
  met: Set<ast.Node>
  /** The value of an expression on this path, by static evaluation. */
  evaluate(node: ast.Expression, env: Env | null): unknown
  /** A function of the program, callable in the evaluation. */
  closure(declared: Callable, env: Env | null): (...given: unknown[]) => unknown
}
