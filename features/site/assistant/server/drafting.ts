import { z } from 'zod'
import { allowLinksIn } from '#assistant/links.ts'
import { NothingThere } from '#assistant/contract.ts'
import type { improve, GeneratedText, GeneratedPiece, suggest } from '#assistant/generated-contract.ts'
import { jobInstructions } from '#assistant/server/instructions.ts'
import { generate } from '#assistant/server/generation.ts'
import type { ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Member, StreamBody } from '#base/server/http/route.ts'
import { traits, type ThreadKind } from '#kind/contract.ts'
import * as tag from '#tag/server/tag.ts'

const maxTitleLength = 100
const maxTitles = 3
const maxTags = 3
const maxTagsInPrompt = 200

/** Improves a draft in its own language, with an optional instruction. Links of the draft stay. */
export async function improved(
  tx: Db,
  member: Member,
  { text, wish }: ParsedInput<typeof improve>,
  { language }: ClientInfo,
): Promise<StreamBody<GeneratedPiece>> {
  mustSayAnything(text)
  const prompt = wish === '' ? text : `${text}\n\n---\n${wish}`
  return generate(tx, member, {
    job: 'writing',
    instructions: await jobInstructions(tx, 'improve', language),
    text: prompt,
    sources: [],
    allows: allowLinksIn(text),
    cutAt: null,
    topicId: null,
  })
}

/** Suggests titles and tags for a draft. Only tags the member may post in are suggested, whatever a model says. */
export async function suggestions(
  tx: Db,
  member: Member,
  { text, thread }: ParsedInput<typeof suggest>,
  { language }: ClientInfo,
): Promise<StreamBody<GeneratedPiece>> {
  mustSayAnything(text)
  const tags = await tagsFor(tx, member, thread)
  const list = tags.map(({ id, name }) => `${id}: ${name[language]}`).join('\n')
  return generate(tx, member, {
    job: 'writing',
    instructions: `${await jobInstructions(tx, 'suggest', language)}\n${list}`,
    text,
    sources: [],
    allows: () => false,
    cutAt: null,
    topicId: null,
    read: (answer) => suggestedIn(answer, new Set(tags.map(({ id }) => id))),
  })
}

function mustSayAnything(text: string): void {
  if (!/[\p{L}\p{N}]/u.test(text)) throw NothingThere()
}

async function tagsFor(db: Db, member: Member, thread: ThreadKind) {
  const places = [...(await tag.places(db)).values()]
  const upper = new Set(places.map(({ parent }) => parent?.id))
  const may = (id: string) => member.may('tag.view', id) && member.may(traits[thread].topic.rights.post, id)
  return places.filter(({ id }) => !upper.has(id) && may(id)).slice(0, maxTagsInPrompt)
}

const SuggestionAnswer = z.object({
  titles: z.array(z.string().trim()).default([]),
  tags: z.array(z.coerce.string()).default([]),
})

function suggestedIn(answer: string, allowed: ReadonlySet<string>): Partial<GeneratedText> {
  const parsed = SuggestionAnswer.safeParse(jsonIn(answer))
  const { titles, tags } = parsed.success ? parsed.data : { titles: [], tags: [] }
  return {
    text: '',
    titles: titles.flatMap((title) => title.slice(0, maxTitleLength) || []).slice(0, maxTitles),
    tagIds: tags.filter((id) => allowed.has(id)).slice(0, maxTags),
  }
}

function jsonIn(answer: string): unknown {
  try {
    return JSON.parse(/\{[\s\S]*\}/.exec(answer)?.[0] ?? '')
  } catch {
    return null // the answer does not follow the format
  }
}
