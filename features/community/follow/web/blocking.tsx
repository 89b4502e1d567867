import { useRevalidator } from 'react-router'
import { useMember } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { MenuButton } from '#base/web/menu.tsx'
import { useWords } from '#base/web/words.tsx'
import type { block, unblock, BlockLevel } from '#follow/contract.ts'
import { loadFollowState } from '#follow/web/follow-state.ts'

export type Person = { id: string; name: string }
type Props = { of: Person; way: BlockLevel | null }

/** Buttons to mute and block a member, or to end that. */
export function Blocking({ of: person, way }: Props) {
  const { isBusy, actions } = useBlocking(person, way)
  return (
    <span>
      {actions.map(({ label, act }) => (
        <button key={label} type="button" className="plain" disabled={isBusy} onClick={act}>
          {label}
        </button>
      ))}
    </span>
  )
}

export function BlockingItems({ of: person, way }: Props) {
  const { isBusy, actions } = useBlocking(person, way)
  return actions.map(({ label, act }) => (
    <MenuButton key={label} disabled={isBusy} onClick={act}>
      {label}
    </MenuButton>
  ))
}

function useBlocking({ id, name }: Person, way: BlockLevel | null): { isBusy: boolean; actions: { label: string; act: () => void }[] } {
  const words = useWords('follow')
  const changed = useChanged()
  const begin = useAction<typeof block>('/follow/block')
  const end = useAction<typeof unblock>('/follow/unblock')

  async function stop(): Promise<void> {
    if (await end.run({ userId: id }, { message: words('endedNow') })) await changed()
  }

  async function mute(): Promise<void> {
    if (!(await confirm(words('muteQuestion', { name }), words('mute')))) return
    if (await begin.run({ userId: id, way: 'muted' }, { message: words('mutedNow') })) await changed()
  }

  async function blockThem(): Promise<void> {
    if (!(await confirm(words('blockQuestion', { name }), words('block')))) return
    if (await begin.run({ userId: id, way: 'blocked' }, { message: words('blockedNow') })) await changed()
  }

  const actions = [
    ...(way === null ? [{ label: words('mute'), act: () => void mute() }] : []),
    ...(way === 'blocked' ? [] : [{ label: words('block'), act: () => void blockThem() }]),
    ...(way ? [{ label: words(way === 'muted' ? 'unmute' : 'unblock'), act: () => void stop() }] : []),
  ]
  return { isBusy: begin.isBusy || end.isBusy, actions }
}

function useChanged(): () => Promise<void> {
  const api = useApi()
  const me = useMember()
  const { revalidate } = useRevalidator()
  return async () => {
    await Promise.all([loadFollowState(api, me?.userId ?? null), revalidate()])
  }
}
