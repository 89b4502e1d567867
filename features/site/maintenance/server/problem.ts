import type { problems } from '#maintenance/contract.ts'

type Problem = (typeof problems)[number]

const byName: Record<string, Problem> = { BackupDamaged: 'damaged', BackupNewer: 'newer', CannotStart: 'refused', NoRoom: 'full' }
const byCode: Record<string, Problem> = { ENOSPC: 'full', '53100': 'full' }

/** The code of an error where it is known, with its subject; otherwise the first line of its message. */
export function problemOf(error: unknown): { problem: Problem; detail: string } {
  if (!(error instanceof Error)) return { problem: 'other', detail: '' }
  const code = 'code' in error ? String(error.code) : ''
  if (error.message === 'permission denied to create database') return { problem: 'mayNotMakeDatabases', detail: '' }
  return {
    problem: byName[error.name] ?? byCode[code] ?? 'other',
    detail: firstLine('subject' in error ? String(error.subject) : error.message),
  }
}

/** The first line of a message, without text that may be a password or key. */
export function firstLine(message: string): string {
  const [line = ''] = message.trim().split('\n')
  return line
    .replace(/\/\/[^\s/@]*@/g, '//…@')
    .replace(/\b(password|secret|token|key|authorization)(["']?\s*[=:]\s*["']?)[^\s"',;]+/gi, '$1$2…')
    .replace(/\b[\w-]{32,}\b/g, '…')
    .slice(0, 300)
}
