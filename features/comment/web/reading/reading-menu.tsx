import { useNavigate } from 'react-router'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { helpIsOpen } from '#base/web/shortcuts.ts'
import { useWords } from '#base/web/words.tsx'
import { useDesk, type List } from '#comment/web/desk.tsx'
import { choices, choose } from '#comment/web/reading/choices.ts'
import { placeNow } from '#comment/web/reading/place.ts'
import { shown } from '#comment/web/reading/shown.ts'

/** The menu of reading preferences: pages or infinite list, floors or tree. The position stays. */
export function ReadingMenu({ list, position }: { list: List; position: number | null }) {
  const words = useWords('comment')
  const { topic } = useDesk()
  const { flow, shape } = choices.use()
  const go = useNavigate()

  function turnPages(): void {
    const place = placeNow()
    const isOnThisPage = !place || list.comments.some(({ id }) => place.id === `comment-${id}`)
    choose({ flow: 'pages' })
    shown.set([list])
    if (isOnThisPage || position === null) return
    const query = new URLSearchParams(location.search)
    query.set('topicId', topic.id)
    query.set('floor', String(position))
    void go(`/thread?${query}`, { replace: true, state: { at: place.id, top: place.top } })
  }

  return (
    <Menu label={words('howToRead')}>
      {flow === 'pages' ? (
        <MenuButton onClick={() => choose({ flow: 'scroll' })}>{words('scrollOn')}</MenuButton>
      ) : (
        <MenuButton onClick={turnPages}>{words('turnPages')}</MenuButton>
      )}
      {shape === 'flat' ? (
        <MenuButton onClick={() => choose({ shape: 'tree' })}>{words('asTree')}</MenuButton>
      ) : (
        <MenuButton onClick={() => choose({ shape: 'flat' })}>{words('asFloors')}</MenuButton>
      )}
      <MenuButton onClick={() => helpIsOpen.set(true)}>{words('shortcuts')}</MenuButton>
    </Menu>
  )
}
