import { spawn } from 'node:child_process'
import { totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

export type Step = { name: string; args: string[] }

/** Runs one of our programs with this Node and prints its result in one line, with its output only on failure. */
export async function runStep({ name, args }: Step): Promise<boolean> {
  const start = performance.now()
  const { code, said } = await runQuietly(args)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${code === 0 ? '✓' : '✗'} ${name}  ${seconds} s${code === 0 ? '' : `\n${said.trimEnd()}\n`}`)
  return code === 0
}

// The compiler and the typed linter are Go programs, which spend a fifth of their time on collecting garbage if memory is not theirs to use.
const roomy = { GOGC: '400', GOMEMLIMIT: `${Math.round(totalmem() / 4)}` }

function runQuietly(args: string[]): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...roomy, ...process.env } })
    const chunks: string[] = []
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => chunks.push(text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, said: chunks.join('') }))
  })
}

/** Runs one of our programs with its output, and returns its exit code. */
export function runWithOutput(args: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}
