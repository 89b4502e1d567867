import type { OldTarget, TargetOf } from '#importer/server/source.ts'

const usualPage = 10

/**
 * Addresses of Discuz!: `thread-TID-PAGE-PREVIOUS.html`, `forum-FID-PAGE.html`, `space-uid-UID.html`, and the same by `forum.php?mod=`. A page is so
 * many posts as its setting says, which is the rule `postsPerPage`.
 */
export const targetOf: TargetOf = ({ pathname, searchParams, hash }, rules) => {
  const posted = /^#pid(\d{1,15})$/.exec(hash)?.[1]
  if (posted !== undefined) return { to: 'post', id: posted }
  const page = pathname.split('/').at(-1) ?? ''
  const [, kind, its = '', at = '1'] =
    /^(thread|forum|space-uid|space-username)-(\d{1,15})(?:-(\d{1,9}))?(?:-\d{1,9})?\.html$/.exec(page) ?? []
  if (kind === 'thread') return threadAt(its, at, rules)
  if (kind === 'forum') return { to: 'tag', id: its }
  if (kind === 'space-uid') return { to: 'member', id: its }
  const of = (name: string) => /^\d{1,15}$/.exec(searchParams.get(name) ?? '')?.[0] ?? null
  if (page === 'viewthread.php') return threadOrNull(of('tid'), of('page'), rules)
  if (page !== 'forum.php' && page !== 'home.php') return null
  return byMod(searchParams.get('mod') ?? '', of, rules, searchParams.get('goto'))
}

function byMod(mod: string, of: (name: string) => string | null, rules: Rules, goto: string | null): OldTarget | null {
  if (mod === 'viewthread') return threadOrNull(of('tid'), of('page'), rules)
  if (mod === 'redirect' && goto === 'findpost') return orNull('post', of('pid')) ?? threadOrNull(of('ptid'), null, rules)
  if (mod === 'redirect') return threadOrNull(of('tid'), null, rules)
  if (mod === 'forumdisplay') return orNull('tag', of('fid'))
  if (mod === 'space') return orNull('member', of('uid'))
  return null
}

type Rules = Readonly<Record<string, string>>

function threadOrNull(id: string | null, page: string | null, rules: Rules): OldTarget | null {
  return id === null ? null : threadAt(id, page ?? '1', rules)
}

function threadAt(id: string, page: string, rules: Rules): OldTarget {
  const perPage = Number(rules['postsPerPage'] ?? usualPage)
  const first = (Number(page) - 1) * perPage + 1
  return { to: 'thread', id, ...(first > 1 && { number: first }) }
}

function orNull(to: 'post' | 'tag' | 'member', id: string | null): OldTarget | null {
  return id === null ? null : { to, id }
}
