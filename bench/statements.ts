import { spawn } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'

export type Statement = { text: string; values: unknown[] }

/** Records the statements of this process from `begin` to `end`. */
export function recordStatements(): { begin(): void; end(): Statement[] } {
  let recorded: Statement[] | null = null
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...asked: unknown[]) {
    const [ask] = asked
    if (recorded && typeof ask === 'object' && ask !== null && 'text' in ask) {
      const { text, values = [] } = ask as { text: string; values?: unknown[] }
      recorded.push({ text, values: [...values] })
    }
    return Reflect.apply(query, this, asked)
  } as never
  return {
    begin: () => void (recorded = []),
    end() {
      const said = recorded ?? []
      recorded = null
      return said
    },
  }
}

export type Answers = Record<string, Statement[]>

/** The baseline of database reads: bare `node:http` that answers each path with the rows of these statements, in a process of its own. */
export async function bareWithStatements(databaseUrl: string, answers: Answers): Promise<{ url: string; close(): void }> {
  const child = spawn(process.execPath, [new URL('bare.ts', import.meta.url).pathname, databaseUrl], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(answers))
  const [port] = await once(child.stdout, 'data')
  return { url: `http://127.0.0.1:${String(port).trim()}`, close: () => void child.kill() }
}
