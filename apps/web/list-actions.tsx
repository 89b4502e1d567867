import { useLocation, useRevalidator } from 'react-router'
import { useApi } from '#base/web/api.ts'
import { Icon } from '#base/web/icon.tsx'
import { Link } from '#base/web/link.tsx'
import { Menu, MenuButton, MenuLink } from '#base/web/menu.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import type { markAllRead, undoAllRead } from '#comment/reading-contract.ts'
import type { setLevel } from '#follow/contract.ts'
import { setTagLevel, useFollowState } from '#follow/web/follow-state.ts'
import { NewTopics, type CurrentList } from '#apps/web/new-topics.tsx'
import { languageIn } from '#base/web/screen.ts'

type ListActionsProps = {
  tagId: string | undefined
  isMember: boolean
  /** Null for lists without live updates. */ news: CurrentList | null
}

/** Filters a list by language. For a member also marks all as read, with undo, and mutes the tag or links to the muted ones. */
export function ListActions({ tagId, isMember, news }: ListActionsProps) {
  const words = useWords('topic')
  const { language, addressOf } = useListLanguage()
  const name = language && words(languageWords[language])
  return (
    <>
      {name && (
        <Link to={addressOf(null)} aria-label={words('allLanguagesNot', { language: name })}>
          <bdi>{name}</bdi> <Icon name="close" />
        </Link>
      )}
      <Menu label={words('listMenu')}>
        {isMember && <MemberEntries tagId={tagId} />}
        {([null, 'zh', 'en'] as const).map((one) => (
          <MenuLink key={one} to={addressOf(one)} aria-current={one === (language ?? null) ? 'true' : undefined}>
            {words(one ? languageWords[one] : 'allLanguages')}
          </MenuLink>
        ))}
      </Menu>
      {news && <NewTopics of={news} tagId={tagId} />}
    </>
  )
}

const languageWords = { zh: 'inChinese', en: 'inEnglish' } as const

/** The language filter of a list, with the addresses of the others, which begin at page one. */
function useListLanguage() {
  const { pathname, search } = useLocation()
  function addressOf(language: 'zh' | 'en' | null): string {
    const query = new URLSearchParams(search)
    for (const name of ['page', 'language', 'following', 'before']) query.delete(name)
    if (language) query.set('language', language)
    return query.size > 0 ? `${pathname}?${query}` : pathname
  }
  return { ...languageIn(new URLSearchParams(search)), addressOf }
}

function MemberEntries({ tagId }: Pick<ListActionsProps, 'tagId'>) {
  const words = useWords('topic')
  const api = useApi()
  const { revalidate } = useRevalidator()
  const mine = useFollowState()
  const isMuted = mine?.tags.some(({ id, level }) => id === tagId && level === 'muted') ?? false
  const inTag = tagId ? { tagId } : {}

  async function markAll(): Promise<void> {
    const { at } = await api.write<typeof markAllRead>('/comment/allRead', inTag)
    await revalidate()
    const close = toast(words('allRead'), { label: words('undo'), retry: () => void undo(at).then(close, failed) })
  }

  async function undo(at: string): Promise<void> {
    await api.write<typeof undoAllRead>('/comment/allRead/undo', { ...inTag, at })
    await revalidate()
  }

  async function mute(id: string): Promise<void> {
    const level = isMuted ? 'normal' : 'muted'
    await api.write<typeof setLevel>('/follow/level', { of: 'tag', id, level })
    setTagLevel(id, level)
    toast(words(isMuted ? 'tagUnmuted' : 'tagMuted'))
  }

  return (
    <>
      <MenuButton onClick={() => void markAll().catch(failed)}>{words('markAllRead')}</MenuButton>
      {tagId && mine && <MenuButton onClick={() => void mute(tagId).catch(failed)}>{words(isMuted ? 'unmuteTag' : 'muteTag')}</MenuButton>}
      <MenuLink to="/user/control/followList?of=tag">{words('tagLevels')}</MenuLink>
    </>
  )
}

// The call has reported the reason, with a retry.
function failed(error: unknown): void {
  console.info('It stays as it was', error)
}
