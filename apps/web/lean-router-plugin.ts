import type { Plugin } from 'vite'

/**
 * Features of the router that this app does without: fetchers for forms, lazy and discovered routes, middleware, server components, its own
 * hydration state, advice to developers, instrumentation.
 */
const forOthers: readonly [RegExp, string][] = [
  [/\b(?:init|opts\?)\.(?:instrumentations|patchRoutesOnNavigation)\b/g, 'undefined'],
  [/(?<!function )\bconsumeInstrumentationClientResultMetaReceiver\(router\)/g, 'undefined'],
  [/\b(?:opts && opts\.)?submission && isMutationMethod\((?:opts\.)?submission\.formMethod\)/g, 'false'],
  [/(?<!function )\bloadLazyRoute\(.*\)(?=;)/g, '{}'],
  [/(?<!function )\bloadLazyRouteProperty\(\{[^{}]*\}\)/g, 'undefined'],
  [/(?<!function )\brunClientMiddlewarePipeline\(/g, '((_, run) => run())('],
  [/\bif \(this\.context(?= && typeof error|\) return)/g, 'if (false'],
  [/(?<=hydrationData) \|\| parseHydrationData\(\)/g, ''],
  [/^\t\t(?:fetch|getFetcher|resetFetcher|deleteFetcher: queueFetcherForDeletion|patchRoutes|_internalSetRoutes),$/gm, ''],
]

/**
 * Lets the bundler leave out what of the router nobody here uses: its links, forms and fetchers, and its advice to developers.
 * By itself it must keep them: it cannot know that making a component, naming one, or giving advice does nothing else. Where a release says it
 * in other words they are merely kept, and the budget of the first load tells.
 */
export function leanRouter(): Plugin {
  let isForBrowser = false
  return {
    name: 'teahouse-lean-router',
    apply: 'build',
    configResolved: ({ build }) => void (isForBrowser = !build.ssr),
    transform: {
      filter: { id: /\/react-router\/dist\// },
      handler: (code) => ({
        code: (isForBrowser ? forOthers : [])
          .reduce((lean, [pattern, instead]) => lean.replaceAll(pattern, instead), code)
          .replaceAll(/(?<== )React\$1\.(?:forwardRef|memo|createContext)\(/g, '/* @__PURE__ */ $&')
          .replaceAll(/(?<!function |[\w.$])warning(?:Once)?\(/g, '/* @__PURE__ */ $&')
          .replaceAll(/^\w+\.displayName = ".*";$/gm, ''),
        map: null,
      }),
    },
  }
}
