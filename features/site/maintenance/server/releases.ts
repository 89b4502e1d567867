import { readFile } from 'node:fs/promises'
import type { ReleaseView } from '#maintenance/release-contract.ts'

const files = { en: 'CHANGELOG.md', zh: 'CHANGELOG.zh.md' } as const

/** The releases of the changelog in this language, newest first. */
export async function releases(language: keyof typeof files): Promise<ReleaseView[]> {
  return parseChangelog(await readFile(new URL(`../../../../${files[language]}`, import.meta.url), 'utf8'))
}

/** Reads `## 1.0.0 (2026-11-30)`, the paragraph below it, and its lists under `###`. Other lines belong to no release. */
export function parseChangelog(text: string): ReleaseView[] {
  const [, ...parts] = text.split(/^## /m)
  return parts.map((part) => {
    const [about = '', ...sections] = part.split(/^### /m)
    const [, version = '', date = ''] = /^(\S+) \((\S+)\)/.exec(about) ?? []
    return { version, date, about: linesOf(about).join(' '), sections: sections.map(sectionOf) }
  })
}

function sectionOf(text: string): ReleaseView['sections'][number] {
  const [title = ''] = text.split('\n')
  return { title: title.trim(), entries: linesOf(text).map((line) => line.replace(/^- /, '')) }
}

/** The lines below a heading, without empty ones. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '')
}
