import type { Plugin } from 'vite'

/**
 * Features of the router that this app does not use: fetchers, lazy and discovered routes, middleware, server components, its own hydration
 * state, developer warnings, instrumentation.
 */
const unusedPatterns: readonly [RegExp, string][] = [
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
 * Lets the bundler drop unused parts of the router: its links, forms, fetchers and warnings. It must keep them otherwise, because it cannot
 * know that creating a component, naming one or warning has no side effects. If a release changes these patterns, the code is merely kept,
 * and the size budget reports it.
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
        code: (isForBrowser ? unusedPatterns : [])
          .reduce((lean, [pattern, instead]) => lean.replaceAll(pattern, instead), code)
          .replaceAll(/(?<== )React\$1\.(?:forwardRef|memo|createContext)\(/g, '/* @__PURE__ */ $&')
          .replaceAll(/(?<!function |[\w.$])warning(?:Once)?\(/g, '/* @__PURE__ */ $&')
          .replaceAll(/^\w+\.displayName = ".*";$/gm, ''),
        map: null,
      }),
    },
  }
}
