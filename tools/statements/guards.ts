import * as ast from 'typescript/unstable/ast'
import type { Run } from './run.ts'
import { DeadEnd, resolved, Undecided, Unknown } from './values.ts'

/** Abandons a path on which the program would not get here. */
export function judge(run: Run, here: ast.Node): void {
  run.paths.isDecided = true
  for (const at of [here, ...[...run.callers.values()].flatMap((call) => call ?? [])]) if (!isReached(run, at)) throw new DeadEnd()
}

function isReached(run: Run, here: ast.Node): boolean {
  for (let at = here; at.parent && !ast.isSourceFile(at.parent); at = at.parent) {
    const { parent } = at
    if (ast.isIfStatement(parent) && at === parent.thenStatement && isKnown(run, parent.expression) === false) return false
    if (ast.isIfStatement(parent) && at === parent.elseStatement && isKnown(run, parent.expression) === true) return false
    if (ast.isConditionalExpression(parent) && at === parent.whenTrue && isKnown(run, parent.condition) === false) return false
    if (ast.isConditionalExpression(parent) && at === parent.whenFalse && isKnown(run, parent.condition) === true) return false
    if (ast.isBlock(parent) && parent.statements.slice(0, parent.statements.indexOf(at as ast.Statement)).some((one) => ends(run, one)))
      return false
  }
  return true
}

// An earlier statement that would have ended it.
function ends(run: Run, statement: ast.Statement): boolean {
  if (!ast.isIfStatement(statement) || statement.elseStatement) return false
  const then = ast.isBlock(statement.thenStatement) ? statement.thenStatement.statements.at(-1) : statement.thenStatement
  if (!then) return false
  const isEnd = ast.isReturnStatement(then) || ast.isThrowStatement(then) || ast.isContinueStatement(then) || ast.isBreakStatement(then)
  return isEnd && isKnown(run, statement.expression) === true
}

function isKnown(run: Run, condition: ast.Expression): boolean | null {
  try {
    const known = resolved(run.evaluate(condition, null))
    return known instanceof Unknown ? null : Boolean(known)
  } catch (error) {
    if (error instanceof Undecided) return null
    throw error
  }
}
