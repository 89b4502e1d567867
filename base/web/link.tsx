import type { ComponentProps } from 'react'
import { matchRoutes, useLocation, type DataRouter } from 'react-router'

type Props = Omit<ComponentProps<'a'>, 'href'> & {
  to: string
  /** Replaces this page in the history. */
  replace?: boolean
  preventScrollReset?: boolean
}

/**
 * A link to another screen: a plain anchor, so that a page of a hundred links costs no more than its anchors.
 * The one listener of `followLinks` handles its clicks.
 */
export function Link({ to, replace = false, preventScrollReset = false, children, ...rest }: Props) {
  return (
    <a {...rest} href={to} data-replace={replace || undefined} data-stay={preventScrollReset || undefined}>
      {children}
    </a>
  )
}

/** A link that marks the current page. Another member's page does not count as one's own. */
export function NavLink(props: Props) {
  const { pathname, search } = useLocation()
  const isThere = pathname === props.to && !/[?&]userId=/.test(search)
  return <Link {...props} aria-current={isThere ? 'page' : undefined} />
}

/** Follows plain clicks on internal links without reloading, also inside posts. */
export function followLinks(router: DataRouter): void {
  document.addEventListener('click', (click) => {
    const link = click.target instanceof Element ? click.target.closest('a') : null
    if (!link || click.defaultPrevented || !isPlain(click) || !leadsInside(router, link)) return
    click.preventDefault()
    const to = link.pathname + link.search + link.hash
    const { pathname, search, hash } = router.state.location
    // An overlay has its own step in the history, which the next page replaces.
    const isOver = history.state?.isOver === true
    const replace = isOver || link.dataset['replace'] !== undefined || to === pathname + search + hash
    void router.navigate(to, { replace, preventScrollReset: link.dataset['stay'] !== undefined })
  })
}

function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}

function leadsInside(router: DataRouter, link: HTMLAnchorElement): boolean {
  if (link.origin !== location.origin || link.hasAttribute('download') || (link.target && link.target !== '_self')) return false
  const isJump = link.hash !== '' && link.pathname === location.pathname && link.search === location.search
  return !isJump && isScreen(router, link.pathname)
}

// The last route is a catch-all; its addresses belong to the server.
function isScreen(router: DataRouter, pathname: string): boolean {
  const deepest = matchRoutes(router.routes, { pathname })?.at(-1)
  return deepest !== undefined && deepest.route.path !== '*'
}
