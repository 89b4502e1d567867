import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterFile } from '#base/testing/after-file.ts'

/** A folder for the files of dumps, removed after the test file. */
export function dumpFolder(): { path: string; write(name: string, content: string | Buffer): string } {
  const path = mkdtempSync(join(tmpdir(), 'teahouse-dumps-'))
  afterFile(async () => rmSync(path, { recursive: true, force: true }))
  return {
    path,
    write(name, content) {
      const file = join(path, name)
      writeFileSync(file, content)
      return file
    },
  }
}
