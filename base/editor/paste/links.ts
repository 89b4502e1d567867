import { linkTarget } from '#base/rich-text/safe-url.ts'

// Redirect pages, with the parameter that holds their target.
const redirects: readonly [RegExp, string][] = [
  [/^(www\.)?google\.[a-z.]+$/, 'q'],
  [/^(www\.)?google\.[a-z.]+$/, 'url'],
  [/\.safelinks\.protection\.outlook\.com$/, 'url'],
  [/^link\.(zhihu\.com|juejin\.cn|csdn\.net)$/, 'target'],
  [/^(www\.)?jianshu\.com$/, 'url'],
  [/^c\.pc\.qq\.com$/, 'url'],
  [/^lm?\.facebook\.com$/, 'u'],
  [/^steamcommunity\.com$/, 'u'],
]
const redirectPaths = /^\/(url|link|l\.php|go-wild|linkfilter\/?|middlem\.html|)$/
const trackingParameters =
  /^(utm_\w+|fbclid|gclid|dclid|msclkid|yclid|igshid|mc_[ce]id|_hs(enc|mi)|spm|scm|vd_source|share_(token|source|medium))$/

/** Replaces redirects with their targets, and removes tracking parameters. */
export function resolveRedirects(pasted: HTMLElement): void {
  for (const link of pasted.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    const written = link.getAttribute('href') ?? ''
    const aim = targetOf(written)
    link.setAttribute('href', linkTarget(aim) ?? aim)
    // Other sites add titles to every link; our own titles do not pass through this parser.
    link.removeAttribute('title')
    const text = link.textContent.trim()
    if (text === '' && !link.querySelector('img')) link.replaceWith(...link.childNodes)
    // The anchor beside a heading.
    else if (/^[#¶§]$/.test(text)) link.replaceWith(/\s/.test(link.textContent) ? ' ' : '')
  }
}

export function targetOf(written: string): string {
  const address = URL.parse(written)
  if (!address || !/^https?:$/.test(address.protocol)) return written
  const onward = redirects.map(([host, name]) =>
    host.test(address.hostname) && redirectPaths.test(address.pathname) ? address.searchParams.get(name) : null,
  )
  const aim = onward.map((one) => URL.parse(one ?? '')).find((one) => one !== null && /^https?:$/.test(one.protocol))
  return withoutTracking(aim ?? address, aim ? aim.href : written)
}

function withoutTracking(address: URL, written: string): string {
  const names = [...address.searchParams.keys()].filter((name) => trackingParameters.test(name))
  for (const name of names) address.searchParams.delete(name)
  return names.length > 0 ? address.href : written
}
