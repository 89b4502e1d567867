import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { member } from '#account/web/account.tsx'
import { Dialog } from '#base/web/dialog.tsx'
import { areOn, helpIsOpen, listenForKeys, offered, switchShortcuts, useShortcuts, type Group } from '#base/web/shortcuts.ts'
import { step, stopNow } from '#base/web/walk.ts'
import { useSay, useWords } from '#base/web/words.tsx'
import css from '#apps/web/shortcuts.module.css'

/** The keys that serve on every screen, and the help that lists all that are offered. */
export function Shortcuts() {
  const isMember = Boolean(member.use())
  const isOpen = helpIsOpen.use()
  const words = useWords('keys')
  useEffect(() => listenForKeys(), [])
  return (
    <>
      <Everywhere />
      {isMember && <Mine />}
      <Dialog title={words('title')} isOpen={isOpen} close={() => helpIsOpen.set(false)}>
        <Help />
      </Dialog>
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

// A title is followed; of a comment, what is folded in it comes out.
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

function Help() {
  const words = useWords('keys')
  const isOn = areOn.use()
  const groups = offered.use()
  return (
    <div className={css.help}>
      <label className={css.switch}>
        <input type="checkbox" checked={isOn} onChange={(event) => switchShortcuts(event.currentTarget.checked)} data-first />
        {words('on')}
      </label>
      {isOn ? groups.map((group) => <Keys key={group.title} {...group} />) : <p className="note">{words('off')}</p>}
    </div>
  )
}

function Keys({ title, shortcuts }: Group) {
  const say = useSay()
  const words = useWords('keys')
  return (
    <section className={css.group}>
      <h3>{say(title)}</h3>
      <dl className={css.keys}>
        {shortcuts.map(({ keys, says }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key, index) => (
                <span key={key}>
                  {index > 0 && <span className="meta"> {words('then')} </span>}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dt>
            <dd>{say(says)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
