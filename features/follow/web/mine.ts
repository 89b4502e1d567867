import { useEffect } from 'react'
import { useMember } from '#account/web/account.tsx'
import type { Api, Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { storeOf } from '#base/web/store.ts'
import type { followMine } from '#follow/contract.ts'

type Mine = Output<typeof followMine>

const known = storeOf<Mine | null>(null)
let asked: string | null = null

/** The tags I follow and whom I mute, asked for once; null for visitors, and until it is known. */
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

/** A tag is followed from now on, or no more. */
export function noteTag(tagId: string, isFollowed: boolean): void {
  const mine = known.get()
  if (!mine) return
  const others = mine.tagIds.filter((id) => id !== tagId)
  known.set({ ...mine, tagIds: isFollowed ? [...others, tagId] : others })
}
