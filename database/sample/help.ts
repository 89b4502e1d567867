import { readFileSync } from 'node:fs'
import { z } from 'zod'

const name = z.strictObject({ zh: z.string().min(1).max(60), en: z.string().min(1).max(60) })
const category = z.strictObject({ name, pages: z.array(z.string().regex(/^[a-z-]+$/)).min(1) })

type Text = { title: string; body: string }
export type SampleHelp = { name: z.output<typeof name>; pages: Record<'zh' | 'en', Text>[] }

/** The help pages of the sample, by category and in both languages. */
export function readHelp(): SampleHelp[] {
  const categories = z.array(category).parse(JSON.parse(textOf('help.json')))
  return categories.map(({ name: named, pages }) => ({
    name: named,
    pages: pages.map((page) => ({ zh: readPage(`help/${page}.zh.md`), en: readPage(`help/${page}.en.md`) })),
  }))
}

/** The first line is the title. */
function readPage(file: string): Text {
  const [, title = '', body = ''] = /^# (.+)\n\n([^]+)$/.exec(textOf(file)) ?? []
  if (!title) throw new Error(`${file} begins with no title`)
  return { title, body: body.trim() }
}

function textOf(file: string): string {
  return readFileSync(new URL(`./${file}`, import.meta.url), 'utf8')
}
