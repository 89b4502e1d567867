import { parentPort } from 'node:worker_threads'
import { fitsImported } from '#base/server/security/imported/compare.ts'
import type { ImportedComparison, ImportedComparisonResult } from '#base/server/security/imported/workers.ts'

parentPort?.on('message', (task: ImportedComparison) => void answer(task))

async function answer({ hashed, typed }: ImportedComparison): Promise<void> {
  parentPort?.postMessage(await resultOf(hashed, typed), [])
}

// The error of one comparison is its own: the worker goes on.
async function resultOf(hashed: string, typed: string): Promise<ImportedComparisonResult> {
  try {
    return { fits: await fitsImported(hashed, typed) }
  } catch (error) {
    return { error }
  }
}
