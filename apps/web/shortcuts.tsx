import { useNavigate } from 'react-router'
import { KeysHelp } from '#apps/web/keys-help.tsx'
import { member } from '#account/web/account.tsx'
import { assistantIsOpen } from '#base/web/assistant.ts'
import { helpIsOpen, useShortcuts } from '#base/web/shortcuts.ts'
import { useSite } from '#setting/web/setting.tsx'
import { step, stopNow } from '#base/web/walk.ts'

/** The shortcuts of every screen, and the help dialog. */
export function Shortcuts() {
  const isMember = Boolean(member.use())
  const { allowChat } = useSite().aiAssistantParameter
  return (
    <>
      <Everywhere />
      {isMember && <Mine />}
      {allowChat && <Assistant />}
      <KeysHelp />
    </>
  )
}

function Everywhere() {
  const go = useNavigate()
  useShortcuts('keys.everywhere', [
    { keys: 'j', says: 'keys.next', run: () => step(1) },
    { keys: 'k', says: 'keys.previous', run: () => step(-1) },
    { keys: 'o', says: 'keys.open', run: open },
    { keys: '/', says: 'keys.search', run: () => search(() => void go('/search')) },
    { keys: 'g h', says: 'keys.goHome', run: () => void go('/index') },
    { keys: 'g n', says: 'keys.goNewest', run: () => void go('/index?sort=new') },
    { keys: 'g t', says: 'keys.goHot', run: () => void go('/index?sort=hot') },
    { keys: 'g s', says: 'keys.goSearch', run: () => void go('/search') },
    { keys: '?', says: 'keys.help', run: () => helpIsOpen.set(true) },
  ])
  return null
}

function Mine() {
  const go = useNavigate()
  useShortcuts('keys.forMembers', [
    { keys: 'n', says: 'keys.post', run: () => void go('/addTopic') },
    { keys: 'g p', says: 'keys.goMe', run: () => void go('/user/control/home') },
    { keys: 'g m', says: 'keys.goTopics', run: () => void go('/user/control/topicList') },
    { keys: 'g c', says: 'keys.goComments', run: () => void go('/user/control/commentList') },
  ])
  return null
}

function Assistant() {
  useShortcuts('keys.forMembers', [{ keys: 'i', says: 'keys.assistant', run: () => assistantIsOpen.set(true) }])
  return null
}

// Opens a title, or unfolds a comment.
function open(): void {
  const stop = stopNow()
  if (stop instanceof HTMLAnchorElement) stop.click()
  else stop?.querySelector<HTMLElement>('summary, [data-more], [aria-expanded="false"]')?.click()
}

function search(otherwise: () => void): void {
  const box = document.querySelector<HTMLElement>('header input[type="search"]')
  if (box?.checkVisibility()) box.focus()
  else otherwise()
}
