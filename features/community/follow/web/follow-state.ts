import { useEffect } from 'react'
import { useMember } from '#account/web/account.tsx'
import type { Api, Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { createStore } from '#base/web/store.ts'
import type { followMine, Level } from '#follow/contract.ts'

type FollowState = Output<typeof followMine>

const state = createStore<FollowState | null>(null)
let request: string | null = null

/** The levels of tags, and muted members and threads, loaded once; null for visitors and while they load. */
export function useFollowState(): FollowState | null {
  const api = useApi()
  const me = useMember()?.userId ?? null
  const mine = state.use()
  useEffect(() => {
    if (me !== request) void loadFollowState(api, me)
  }, [api, me])
  return me ? mine : null
}

/** Loads the state for a member, or clears it for a visitor. */
export async function loadFollowState(api: Api, memberId: string | null): Promise<void> {
  if (memberId !== request) state.set(null)
  request = memberId
  if (!memberId) return
  try {
    const mine = await api.read<typeof followMine>('/follow/mine', {}, { silent: true, background: true })
    if (memberId === request) state.set(mine)
  } catch (error) {
    request = null
    console.info('Nobody could say whom one follows', error)
  }
}

/** Updates the level of a tag in the loaded state. */
export function setTagLevel(tagId: string, level: Level): void {
  const mine = state.get()
  if (!mine) return
  const others = mine.tags.filter(({ id }) => id !== tagId)
  state.set({ ...mine, tags: [...others, { id: tagId, level }] })
}

/** Updates whether a thread is muted in the loaded state. */
export function setThreadMuted(topicId: string, isMuted: boolean): void {
  const mine = state.get()
  if (!mine) return
  const others = mine.mutedThreadIds.filter((id) => id !== topicId)
  state.set({ ...mine, mutedThreadIds: isMuted ? [...others, topicId] : others })
}

type ListedThread = { id: string; place: { id: string; parent: { id: string } | null } }

/** Filters muted threads out of a list and, outside the list of their own tag, those in muted tags. */
export function useUnmuted<Thread extends ListedThread>(threads: readonly Thread[], tagId: string | undefined): readonly Thread[] {
  const mine = useFollowState()
  if (!mine) return threads
  const levels = new Map(mine.tags.map(({ id, level }) => [id, level]))
  const isMuted = ({ id, place }: ListedThread) =>
    mine.mutedThreadIds.includes(id) || (!tagId && (levels.get(place.id) ?? levels.get(place.parent?.id ?? '')) === 'muted')
  return threads.filter((thread) => !isMuted(thread))
}
