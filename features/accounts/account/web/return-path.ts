import { useLocation, useNavigate } from 'react-router'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { decodeReturnPath, safeReturnPath } from '#base/return-path.ts'

type ReturnPath = {
  path: string
  /** For the link to the other tab, so that it keeps the destination. */
  query: string
  /** Returns to the earlier page and scroll position. */
  goBack: () => void | Promise<void>
}

/** The destination after login: from the query, else the page that led here. */
export function useReturnPath(): ReturnPath {
  const go = useNavigate()
  const { search, state } = useLocation()
  const jumpUrl = new URLSearchParams(search).get('jumpUrl')
  const { from = null }: { from?: string | null } = state ?? {}
  const path = jumpUrl ? decodeReturnPath(jumpUrl) : safeReturnPath(from)
  return {
    path,
    query: `?jumpUrl=${encodeReturnPath(path)}`,
    goBack: () => go(path, { replace: true, state: { isBack: true } }),
  }
}
