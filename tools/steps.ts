import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

export type Step = { name: string; args: string[] }

/** Runs a program of ours with this Node and tells in one line how it went; what it said follows only when it failed. */
export async function runStep({ name, args }: Step): Promise<boolean> {
  const start = performance.now()
  const { code, said } = await runQuietly(args)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${code === 0 ? '✓' : '✗'} ${name}  ${seconds} s${code === 0 ? '' : `\n${said.trimEnd()}\n`}`)
  return code === 0
}

function runQuietly(args: string[]): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    const said: string[] = []
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => said.push(text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, said: said.join('') }))
  })
}

/** Runs a program of ours that tells of itself as it goes, and answers its exit code. */
export function runAloud(args: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}
