import type { ComponentProps } from 'react'
import { matchRoutes, useLocation, type DataRouter } from 'react-router'

type Props = Omit<ComponentProps<'a'>, 'href'> & {
  to: string
  /** Takes the place of this page in the history. */
  replace?: boolean
  preventScrollReset?: boolean
}

/**
 * A way to another screen: an anchor and nothing else, so that a page of a hundred links costs no more than its anchors.
 * Its clicks are taken by the one listener of `followLinks`.
 */
export function Link({ to, replace = false, preventScrollReset = false, children, ...rest }: Props) {
  return (
    <a {...rest} href={to} data-replace={replace || undefined} data-stay={preventScrollReset || undefined}>
      {children}
    </a>
  )
}

/** A way that says when one is there already. The page of another member is not one's own. */
export function NavLink(props: Props) {
  const { pathname, search } = useLocation()
  const isThere = pathname === props.to && !/[?&]userId=/.test(search)
  return <Link {...props} aria-current={isThere ? 'page' : undefined} />
}

/** Follows plain clicks on links to our own screens without loading the page anew, those inside posts too. */
export function followLinks(router: DataRouter): void {
  document.addEventListener('click', (click) => {
    const link = click.target instanceof Element ? click.target.closest('a') : null
    if (!link || click.defaultPrevented || !isPlain(click) || !leadsInside(router, link)) return
    click.preventDefault()
    const to = link.pathname + link.search + link.hash
    const { pathname, search, hash } = router.state.location
    // What lies over a page has a step of its own there (base/web/step-over.ts), whose place the next page takes.
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

// The last of the routes takes whatever no screen does; those addresses are the server's.
function isScreen(router: DataRouter, pathname: string): boolean {
  const deepest = matchRoutes(router.routes, { pathname })?.at(-1)
  return deepest !== undefined && deepest.route.path !== '*'
}
