import { useLocation, useNavigate } from 'react-router'
import { encodeReturnPath } from '#base/encode-return-path.ts'
import { decodeReturnPath, safeReturnPath } from '#base/return-path.ts'

type WayBack = {
  path: string
  /** For the other of the two doors, so that it leads back as well. */
  query: string
  /** Where one was, as far down the page as one was. */
  goBack: () => void | Promise<void>
}

/** Where one goes once one is logged in: what the address says, else where the page itself brought one from. */
export function useWayBack(): WayBack {
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
