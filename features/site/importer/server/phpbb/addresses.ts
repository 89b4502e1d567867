import type { TargetOf } from '#importer/server/source.ts'

const number = /^\d{1,15}$/

/** Addresses of phpBB: `viewtopic.php?p=`, `?t=` with `&start=` as an offset of posts, `viewforum.php?f=`, members and files. */
export const targetOf: TargetOf = ({ pathname, searchParams }) => {
  const of = (name: string) => {
    const value = searchParams.get(name)?.split('#')[0] ?? ''
    return number.test(value) ? value : null
  }
  const page = pathname.split('/').at(-1)
  if (page === 'viewtopic.php') {
    const [post, topic, start] = [of('p'), of('t'), of('start')]
    if (post) return { to: 'post', id: post }
    return topic ? { to: 'thread', id: topic, ...(start && { place: Number(start) }) } : null
  }
  if (page === 'viewforum.php') return target('tag', of('f'))
  if (page === 'memberlist.php' && searchParams.get('mode') === 'viewprofile') return target('member', of('u'))
  if (page === 'file.php') return target('file', of('id'))
  return null
}

function target(to: 'tag' | 'member' | 'file', id: string | null) {
  return id === null ? null : { to, id }
}
