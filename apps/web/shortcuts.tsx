import { useNavigate } from 'react-router'
import { ShortcutsHelp } from '#apps/web/shortcuts-help.tsx'
import { member } from '#account/web/account.tsx'
import { assistantIsOpen } from '#base/web/assistant.ts'
import { helpIsOpen, useShortcuts } from '#base/web/shortcuts.ts'
import { useSite } from '#setting/web/setting.tsx'
import { focusNextStop, currentStop } from '#base/web/keyboard-navigation.ts'

/** The shortcuts of every screen, and the help dialog. */
export function Shortcuts() {
  const isMember = Boolean(member.use())
  const { allowChat } = useSite().aiAssistantParameter
  return (
    <>
      <GlobalShortcuts />
      {isMember && <MemberShortcuts />}
      {allowChat && <AssistantShortcut />}
      <ShortcutsHelp />
    </>
  )
}

function GlobalShortcuts() {
  const go = useNavigate()
  useShortcuts('keys.everywhere', [
    { keys: 'j', label: 'keys.next', run: () => focusNextStop(1) },
    { keys: 'k', label: 'keys.previous', run: () => focusNextStop(-1) },
    { keys: 'o', label: 'keys.open', run: open },
    { keys: '/', label: 'keys.search', run: () => search(() => void go('/search')) },
    { keys: 'g h', label: 'keys.goHome', run: () => void go('/index') },
    { keys: 'g n', label: 'keys.goNewest', run: () => void go('/index?sort=new') },
    { keys: 'g t', label: 'keys.goHot', run: () => void go('/index?sort=hot') },
    { keys: 'g s', label: 'keys.goSearch', run: () => void go('/search') },
    { keys: '?', label: 'keys.help', run: () => helpIsOpen.set(true) },
  ])
  return null
}

function MemberShortcuts() {
  const go = useNavigate()
  useShortcuts('keys.forMembers', [
    { keys: 'n', label: 'keys.post', run: () => void go('/addTopic') },
    { keys: 'g p', label: 'keys.goMe', run: () => void go('/user/control/home') },
    { keys: 'g m', label: 'keys.goTopics', run: () => void go('/user/control/topicList') },
    { keys: 'g c', label: 'keys.goComments', run: () => void go('/user/control/commentList') },
  ])
  return null
}

function AssistantShortcut() {
  useShortcuts('keys.forMembers', [{ keys: 'i', label: 'keys.assistant', run: () => assistantIsOpen.set(true) }])
  return null
}

// Opens a title, or unfolds a comment.
function open(): void {
  const stop = currentStop()
  if (stop instanceof HTMLAnchorElement) stop.click()
  else stop?.querySelector<HTMLElement>('summary, [data-more], [aria-expanded="false"]')?.click()
}

function search(otherwise: () => void): void {
  const box = document.querySelector<HTMLElement>('header input[type="search"]')
  if (box?.checkVisibility()) box.focus()
  else otherwise()
}
