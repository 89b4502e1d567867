import { useRevalidator } from 'react-router'
import { useApi } from '#base/web/api.ts'
import { Menu, MenuButton, MenuLink } from '#base/web/menu.tsx'
import { say } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import type { markAllRead, undoAllRead } from '#comment/reading-contract.ts'
import type { setLevel } from '#follow/contract.ts'
import { noteTag, useFollowMine } from '#follow/web/mine.ts'

/** Marks all as read, which can be taken back, and mutes the tag or leads to those that are. */
export function ListDeeds({ tagId }: { tagId: string | undefined }) {
  const words = useWords('topic')
  const api = useApi()
  const { revalidate } = useRevalidator()
  const mine = useFollowMine()
  const isMuted = mine?.tags.some(({ id, level }) => id === tagId && level === 'muted') ?? false
  const inTag = tagId ? { tagId } : {}

  async function markAll(): Promise<void> {
    const { at } = await api.write<typeof markAllRead>('/comment/allRead', inTag)
    await revalidate()
    const close = say(words('allRead'), { label: words('undo'), retry: () => void undo(at).then(close, failed) })
  }

  async function undo(at: string): Promise<void> {
    await api.write<typeof undoAllRead>('/comment/allRead/undo', { ...inTag, at })
    await revalidate()
  }

  async function mute(id: string): Promise<void> {
    const level = isMuted ? 'normal' : 'muted'
    await api.write<typeof setLevel>('/follow/level', { of: 'tag', id, level })
    noteTag(id, level)
    say(words(isMuted ? 'tagUnmuted' : 'tagMuted'))
  }

  return (
    <Menu label={words('listMenu')}>
      <MenuButton onClick={() => void markAll().catch(failed)}>{words('markAllRead')}</MenuButton>
      {tagId && mine && <MenuButton onClick={() => void mute(tagId).catch(failed)}>{words(isMuted ? 'unmuteTag' : 'muteTag')}</MenuButton>}
      <MenuLink to="/user/control/followList?of=tag">{words('tagLevels')}</MenuLink>
    </Menu>
  )
}

// The call has said why, with another try.
function failed(error: unknown): void {
  console.info('It stays as it was', error)
}
