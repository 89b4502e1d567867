import { useEffect } from 'react'
import { useMember } from '#account/web/account.tsx'
import type { Api, Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { storeOf } from '#base/web/store.ts'
import type { followMine, Level } from '#follow/contract.ts'

type Mine = Output<typeof followMine>

const known = storeOf<Mine | null>(null)
let asked: string | null = null

/** The levels of tags, and whom and what I mute, asked for once; null for visitors, and until it is known. */
export function useFollowMine(): Mine | null {
  const api = useApi()
  const me = useMember()?.userId ?? null
  const mine = known.use()
  useEffect(() => {
    if (me !== asked) void learn(api, me)
  }, [api, me])
  return me ? mine : null
}

/** Asks anew for a member; of nobody it forgets. */
export async function learn(api: Api, memberId: string | null): Promise<void> {
  if (memberId !== asked) known.set(null)
  asked = memberId
  if (!memberId) return
  try {
    const mine = await api.read<typeof followMine>('/follow/mine', {}, { silent: true, background: true })
    if (memberId === asked) known.set(mine)
  } catch (error) {
    asked = null
    console.info('Nobody could say whom one follows', error)
  }
}

/** How much one wants to hear of a tag from now on. */
export function noteTag(tagId: string, level: Level): void {
  const mine = known.get()
  if (!mine) return
  const others = mine.tags.filter(({ id }) => id !== tagId)
  known.set({ ...mine, tags: [...others, { id: tagId, level }] })
}

/** A thread is muted from now on, or no more. */
export function noteThread(topicId: string, isMuted: boolean): void {
  const mine = known.get()
  if (!mine) return
  const others = mine.mutedThreadIds.filter((id) => id !== topicId)
  known.set({ ...mine, mutedThreadIds: isMuted ? [...others, topicId] : others })
}

type Listed = { id: string; place: { id: string; parent: { id: string } | null } }

/** What of a list a member would rather not see there: threads they muted and, unless they look into that tag, those of tags they muted. */
export function useUnmuted<Thread extends Listed>(threads: readonly Thread[], tagId: string | undefined): readonly Thread[] {
  const mine = useFollowMine()
  if (!mine) return threads
  const levels = new Map(mine.tags.map(({ id, level }) => [id, level]))
  const isMuted = ({ id, place }: Listed) =>
    mine.mutedThreadIds.includes(id) || (!tagId && (levels.get(place.id) ?? levels.get(place.parent?.id ?? '')) === 'muted')
  return threads.filter((thread) => !isMuted(thread))
}
