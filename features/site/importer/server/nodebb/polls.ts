import { z } from 'zod'
import type { SourcePoll, SourceVote } from '#importer/server/source.ts'
import { allOf, flag, id, number, textOf, time, type Fields, type KeyStore } from '#importer/server/nodebb/store.ts'

/** The first poll of a post, as nodebb-plugin-poll stores it: since its version 4 as a list in `pollIds`, before as `pollId`. */
export function pollIdOf(post: Fields): string | null {
  if (post['pollId']) return post['pollId']
  const ids = parse(z.array(z.union([z.string(), z.number()])), post['pollIds'])
  return textOf(ids?.[0])
}

export async function pollOf(store: KeyStore, pollId: string): Promise<SourcePoll | null> {
  const [poll, older] = await store.objects([`poll:${pollId}`, `poll:${pollId}:settings`])
  if (!poll) return null
  const settings = { ...older, ...poll }
  const options = await optionsOf(store, pollId, poll)
  const choices = number(settings['maximumVotesPerUser'] ?? settings['maxvotes'])
  return {
    title: settings['title'] ?? '',
    options,
    maxChoices: Math.min(Math.max(choices, 1), Math.max(options.length, 1)),
    isPublic: !flag(settings['allowAnonVoting']),
    showsResults: 'always',
    endsAt: time(settings['end']),
  }
}

export async function votesOf(store: KeyStore, threadId: string, pollId: string): Promise<SourceVote[]> {
  const poll = await store.object(`poll:${pollId}`)
  const options = poll ? await optionsOf(store, pollId, poll) : []
  const votes = new Map<string, SourceVote & { optionIds: string[] }>()
  for (const option of options) {
    for (const [uid, score] of await allOf(store, `poll:${pollId}:options:${option.id}:votes`)) {
      if (id(uid) === null) continue
      const vote = votes.get(uid) ?? { threadId, memberId: uid, optionIds: [], at: time(score) }
      vote.optionIds.push(option.id)
      votes.set(uid, vote)
    }
  }
  return [...votes.values()]
}

const storedOptions = z.array(z.object({ id: z.union([z.string(), z.number()]), title: z.string().default('') }))

async function optionsOf(store: KeyStore, pollId: string, poll: Fields): Promise<SourcePoll['options']> {
  const options = parse(storedOptions, poll['options'])
  if (options) return options.map((option) => ({ id: String(option.id), label: option.title }))
  const ids = (await store.members(`poll:${pollId}:options`)).toSorted((one, other) => Number(one) - Number(other))
  const objects = await store.objects(ids.map((option) => `poll:${pollId}:options:${option}`))
  return ids.flatMap((option, at) => (objects[at] ? [{ id: option, label: objects[at]['title'] ?? '' }] : []))
}

/** The value of a text in JSON; null for a text of another shape, which NodeBB takes for none as well. */
function parse<T>(schema: z.ZodType<T>, text: string | undefined): T | null {
  if (!text) return null
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
