import { readFileSync } from 'node:fs'

const file = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }

export const programVersion = file.version
