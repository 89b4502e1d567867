import { useNavigate } from 'react-router'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { helpIsOpen } from '#base/web/shortcuts.ts'
import { useWords } from '#base/web/words.tsx'
import { useThread, type CommentList } from '#comment/web/thread-context.tsx'
import { readingPreferences, setReadingPreferences } from '#comment/web/reading/reading-preferences.ts'
import { currentComment } from '#comment/web/reading/scroll-anchor.ts'
import { mountedLists } from '#comment/web/reading/mounted-lists.ts'

/** The menu of reading preferences: pages or infinite list, floors or tree. The position stays. */
export function ReadingMenu({ list, position }: { list: CommentList; position: number | null }) {
  const words = useWords('comment')
  const { topic } = useThread()
  const { flow, shape } = readingPreferences.use()
  const go = useNavigate()

  function turnPages(): void {
    const place = currentComment()
    const isOnThisPage = !place || list.comments.some(({ id }) => place.id === `comment-${id}`)
    setReadingPreferences({ flow: 'pages' })
    mountedLists.set([list])
    if (isOnThisPage || position === null) return
    const query = new URLSearchParams(location.search)
    query.set('topicId', topic.id)
    query.set('floor', String(position))
    void go(`/thread?${query}`, { replace: true, state: { at: place.id, top: place.top } })
  }

  return (
    <Menu label={words('howToRead')}>
      {flow === 'pages' ? (
        <MenuButton onClick={() => setReadingPreferences({ flow: 'scroll' })}>{words('scrollOn')}</MenuButton>
      ) : (
        <MenuButton onClick={turnPages}>{words('turnPages')}</MenuButton>
      )}
      {shape === 'flat' ? (
        <MenuButton onClick={() => setReadingPreferences({ shape: 'tree' })}>{words('asTree')}</MenuButton>
      ) : (
        <MenuButton onClick={() => setReadingPreferences({ shape: 'flat' })}>{words('asFloors')}</MenuButton>
      )}
      <MenuButton onClick={() => helpIsOpen.set(true)}>{words('shortcuts')}</MenuButton>
    </Menu>
  )
}
