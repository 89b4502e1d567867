// Shows the phone layout on a desktop: media queries treat the window as narrow. Runs after the page's styles load and before the first
// paint; later style sheets are rewritten before they apply.
const phoneWidth = 480

for (const sheet of document.styleSheets) narrow(sheet.cssRules)
document.addEventListener('load', ({ target }) => void (hasStyles(target) && target.sheet && narrow(target.sheet.cssRules)), true)

function hasStyles(target: EventTarget | null): target is HTMLLinkElement | HTMLStyleElement {
  return target instanceof HTMLLinkElement || target instanceof HTMLStyleElement
}

function narrow(rules: CSSRuleList): void {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule) rule.media.mediaText = rewriteMedia(rule.media.mediaText)
    if (rule instanceof CSSGroupingRule || rule instanceof CSSStyleRule) narrow(rule.cssRules)
  }
}

// Each width condition becomes always true or always false.
function rewriteMedia(media: string): string {
  return media.replace(/\((min-width:|max-width:|width >=?|width <=?) (\d+(?:\.\d+)?)px\)/g, (_, relation: string, width: string) => {
    const isMost = relation.startsWith('max') || relation.startsWith('width <')
    const holds = isMost ? phoneWidth <= Number(width) : phoneWidth >= Number(width)
    return holds ? '(min-width: 0px)' : '(max-width: 0px)'
  })
}
