import { sql } from 'kysely'
import * as ast from 'typescript/unstable/ast'
import { evaluate } from './evaluate.ts'
import { closure } from './functions.ts'
import type { Run } from './run.ts'
import type { Source } from './source.ts'
import { judge } from './guards.ts'
import { builder, DeadEnd, NotComposable, Paths } from './values.ts'

const builders = /^(Raw|Select|Insert|Update|Delete)\w*Builder$/
const runs = /^(execute|executeTakeFirst|executeTakeFirstOrThrow|stream)$/

export type Site = {
  node: ast.CallExpression
  place: string
  /** The builder it is called on, or the function that builds it from parameters. */
  receiver: ast.Expression
  isRaw: boolean
}

/** The places where the program runs a statement, or declares one with parameters. */
export function sitesIn(source: Source): Site[] {
  const sites: Site[] = []
  for (const file of source.files()) {
    const hasBuilt = file.text.includes('/database/statement.ts')
    if (!hasBuilt && !file.text.includes('.execute') && !file.text.includes('.stream')) continue
    const visit = (node: ast.Node): void => {
      node.forEachChild(visit)
      if (!ast.isCallExpression(node)) return
      const built = hasBuilt ? builtBy(node) : null
      if (built) sites.push({ node, receiver: built, place: source.placeOf(node), isRaw: false })
      if (!ast.isPropertyAccessExpression(node.expression)) return
      const { expression: receiver, name } = node.expression
      if (!runs.test(name.text)) return
      const called = source.typeOf(receiver)?.getSymbol()?.name ?? ''
      if (builders.test(called)) sites.push({ node, receiver, place: source.placeOf(receiver), isRaw: called === 'RawBuilder' })
    }
    visit(file)
  }
  return sites
}

/** The function that builds a statement with parameters; see `statement` of the database. */
function builtBy({ expression, arguments: [build] }: ast.CallExpression): ast.Expression | null {
  return ast.isIdentifier(expression) && expression.text === 'statement' ? (build ?? null) : null
}

const parameters = new Proxy({}, { get: (_, name) => sql.val(String(name)) })

export type Composed = { texts: string[]; /** The reasons why some or all texts are unknown. */ failures: string[] }

/** Every text that a statement may have, as far as the paths of this chance meet them. */
export function textsOf(source: Source, { receiver }: Site, met: Set<ast.Node>, chance: number): Composed {
  const texts = new Set<string>()
  const failures = new Set<string>()
  const paths = new Paths(chance)
  let isDead = false
  do {
    paths.within = ''
    const run: Run = {
      source,
      paths,
      lazy: new Map(),
      callers: new Map(),
      met: new Set(),
      evaluate: (node, env) => evaluate(run, node, env),
      closure: (declared, env) => closure(run, declared, env),
    }
    const text = attempt(run, receiver)
    isDead = text === null
    if (text instanceof Error) failures.add(text.message)
    else if (text !== null) {
      texts.add(text)
      for (const piece of run.met) met.add(piece)
    }
  } while (paths.turn(isDead))
  return { texts: [...texts], failures: [...failures] }
}

/** The text on one path; null if the program does not take it. */
function attempt(run: Run, receiver: ast.Expression): string | Error | null {
  try {
    const text = textOn(run, receiver)
    judge(run, receiver)
    return text
  } catch (error) {
    if (error instanceof DeadEnd) return null
    throw error
  }
}

function textOn(run: Run, receiver: ast.Expression): string | Error {
  try {
    const value = evaluate(run, receiver, null)
    return compiled(typeof value === 'function' ? value(builder, parameters) : value)
  } catch (error) {
    if (error instanceof DeadEnd) throw error
    return error instanceof Error ? error : new Error(String(error))
  }
}

type Compilable = { compile(db: typeof builder): { sql: string } }

function compiled(value: unknown): string {
  if (value === null || typeof value !== 'object' || !('compile' in value)) throw new NotComposable('no statement')
  return (value as Compilable).compile(builder).sql
}
