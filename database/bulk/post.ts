import type { CodeLanguage } from '#base/rich-text/code-language.ts'
import type { Block, Doc } from '#base/rich-text/document.ts'
import { toSegments } from '#base/rich-text/to-html.ts'
import { summaryOf } from '#base/rich-text/to-text.ts'
import type { Random } from '#database/bulk/random.ts'
import { sentence, type Language } from '#database/bulk/sentences.ts'

type Post = { body: string; segments: string; text: string }

const shareOfChinese = 0.6

export function languageFor({ next }: Random): Language {
  return next() < shareOfChinese ? 'zh' : 'en'
}

/** Some paragraphs, sometimes with a list or a piece of code. */
export function topicPost(language: Language, chance: Random): Post {
  const content = Array.from({ length: 2 + chance.below(5) }, () => paragraph(language, chance, 2 + chance.below(4)))
  const extra = extraFor(language, chance)
  if (extra) content.splice(1, 0, ...extra)
  return post({ type: 'doc', content })
}

export function commentPost(language: Language, chance: Random): Post {
  const paragraphs = chance.next() < 0.8 ? 1 : 2
  return post({ type: 'doc', content: Array.from({ length: paragraphs }, () => paragraph(language, chance, 1 + chance.below(3))) })
}

export function replyPost(language: Language, chance: Random): Post {
  return post({ type: 'doc', content: [paragraph(language, chance, 1)] })
}

function post(doc: Doc): Post {
  const segments = toSegments(doc, { picture: () => null, mention: () => null })
  return { body: JSON.stringify(doc), segments: JSON.stringify(segments), text: summaryOf(doc) }
}

function paragraph(language: Language, chance: Random, sentences: number): Block {
  const texts = Array.from({ length: sentences }, () => sentence(language, chance))
  return { type: 'paragraph', content: [{ type: 'text', text: texts.join(language === 'zh' ? '' : ' ') }] }
}

function extraFor(language: Language, chance: Random): Block[] | null {
  const kind = chance.next()
  if (kind < 0.12) return [heading(language, chance), code(chance)]
  if (kind < 0.3) return [heading(language, chance), list(language, chance)]
  return null
}

function heading(language: Language, chance: Random): Block {
  return { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: sentence(language, chance).replace(/[。.]$/, '') }] }
}

function list(language: Language, chance: Random): Block {
  const content = Array.from({ length: 2 + chance.below(4) }, () => ({
    type: 'listItem' as const,
    content: [paragraph(language, chance, 1)],
  }))
  return { type: 'bulletList', content }
}

function code({ pick, below }: Random): Block {
  const { language, text } = pick(pieces)
  return { type: 'codeBlock', attrs: { language }, content: [{ type: 'text', text: text.replaceAll('42', String(below(1000))) }] }
}

const pieces: readonly { language: CodeLanguage; text: string }[] = [
  { language: 'javascript', text: 'const cups = 42\nfor (let i = 0; i < cups; i++) {\n  console.log(`cup ${i} is warm`)\n}' },
  { language: 'python', text: 'def steep(seconds=42):\n    """Longer each time."""\n    return [seconds + 5 * n for n in range(6)]' },
]
