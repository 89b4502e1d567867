import { useEffect } from 'react'
import { useMember } from '#account/web/account.tsx'
import type { Api, Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { storeOf } from '#base/web/store.ts'
import type { followMine, Level } from '#follow/contract.ts'

type Mine = Output<typeof followMine>

const known = storeOf<Mine | null>(null)
let asked: string | null = null

/** The levels of tags, and muted members and threads, loaded once; null for visitors and while they load. */
export function useFollowMine(): Mine | null {
  const api = useApi()
  const me = useMember()?.userId ?? null
  const mine = known.use()
  useEffect(() => {
    if (me !== asked) void learn(api, me)
  }, [api, me])
  return me ? mine : null
}

/** Loads the state for a member, or clears it for a visitor. */
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

/** Updates the level of a tag in the loaded state. */
export function noteTag(tagId: string, level: Level): void {
  const mine = known.get()
  if (!mine) return
  const others = mine.tags.filter(({ id }) => id !== tagId)
  known.set({ ...mine, tags: [...others, { id: tagId, level }] })
}

/** Updates whether a thread is muted in the loaded state. */
export function noteThread(topicId: string, isMuted: boolean): void {
  const mine = known.get()
  if (!mine) return
  const others = mine.mutedThreadIds.filter((id) => id !== topicId)
  known.set({ ...mine, mutedThreadIds: isMuted ? [...others, topicId] : others })
}

type Listed = { id: string; place: { id: string; parent: { id: string } | null } }

/** Filters muted threads out of a list and, outside the list of their own tag, those in muted tags. */
export function useUnmuted<Thread extends Listed>(threads: readonly Thread[], tagId: string | undefined): readonly Thread[] {
  const mine = useFollowMine()
  if (!mine) return threads
  const levels = new Map(mine.tags.map(({ id, level }) => [id, level]))
  const isMuted = ({ id, place }: Listed) =>
    mine.mutedThreadIds.includes(id) || (!tagId && (levels.get(place.id) ?? levels.get(place.parent?.id ?? '')) === 'muted')
  return threads.filter((thread) => !isMuted(thread))
}
