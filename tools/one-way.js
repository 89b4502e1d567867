import { posix } from 'node:path'
import { folderOf, order } from '../features/order.js'

const aliases = { '#base/': 'base/', '#database/': 'database/', '#apps/': 'apps/', '#features/': 'features/' }
const doorSides = new Set(['server', 'web', 'admin'])
const browserFolders = new Set(['web', 'admin', 'editor'])
// The files in which a feature declares what others collect, and the packages they may import. The lists in features/lists put them together.
export const declarations = {
  'manifest.ts': [],
  'settings.ts': ['zod'],
  'member-rights.ts': [],
  'notification-kinds.ts': [],
  'thread-part.ts': ['zod'],
  'post-part.ts': ['zod'],
}
const lists = 'features/lists/'
const manifests = `${lists}manifests.ts`
const openToServers = new Set(['database/tables.ts', 'database/migrate.ts'])
// The server imports the built pages dynamically; only this file may import their types.
const typeOnlyException = { from: 'apps/server/frontend.ts', to: new Set(['apps/web/server.tsx', 'apps/web/document.ts']) }
const serverPackages = /^(node:|pg$|pg-boss$|kysely|fastify|@fastify\/|pino|sharp$|@node-rs\/|svg-captcha$|rate-limiter-flexible$)/
const browserPackages = /^(react|react-dom|react-router|@mantine\/\w+|@tiptap\/react)(\/|$)/

/** The one-way rule: apps, then features downward in their order, then base; through doors; browser and server separate. */
export const oneWay = {
  meta: { type: 'problem', docs: { description: 'Imports go one way, through doors, and never between browser and server.' } },
  create(context) {
    const from = placeOf(posix.relative(context.cwd.replaceAll('\\', '/'), context.filename.replaceAll('\\', '/')))
    function judge(node, source, isType) {
      if (typeof source?.value === 'string') report(node, objection(from, source.value, isType))
      else if (from.layer === 'feature' || from.layer === 'base') report(node, 'A computed import hides where it leads; name the file.')
    }
    function report(node, message) {
      if (message) context.report({ node, message })
    }
    return {
      ImportDeclaration: (node) => judge(node, node.source, isTypeOnly(node)),
      ExportNamedDeclaration: (node) => node.source && judge(node, node.source, node.exportKind === 'type'),
      ExportAllDeclaration: (node) => judge(node, node.source, node.exportKind === 'type'),
      ImportExpression: (node) => judge(node, node.source, false),
      TSImportType: (node) => judge(node, node.source ?? node.argument?.literal ?? node.argument, true),
    }
  },
}

function isTypeOnly(node) {
  if (node.importKind === 'type') return true
  return node.specifiers.length > 0 && node.specifiers.every((specifier) => specifier.importKind === 'type')
}

/** The reason why the file must not import the specifier, or null. */
export function objection(from, specifier, isType) {
  if (from.layer === 'outside') return null
  const path = resolved(from, specifier)
  if (path === null) return aboutPackage(from, specifier)
  const to = placeOf(path)
  return (
    aboutOrder(from) ??
    aboutOrder(to) ??
    aboutTesting(from, to) ??
    aboutDeclaration(from, to) ??
    aboutManifests(from, to, isType) ??
    aboutDirection(from, to) ??
    aboutDoor(from, to) ??
    aboutSide(from, to, isType)
  )
}

/** The layer of a file, its feature, and whether it runs in the browser, on the server or in both. */
export function placeOf(path) {
  const [top, second, ...rest] = path.split('/')
  const isTest = /\.test\.tsx?$/.test(path)
  // Factories, component pages, and stand-ins for external machines.
  const isForTests = rest[1] === 'testing'
  const place = { path, isTest, isForTests, feature: null, inside: '', side: 'both', layer: 'outside' }
  if (top === 'features' && rest.length > 1) {
    const [feature, side, ...more] = rest
    return { ...place, layer: 'feature', feature, inside: rest.slice(1).join('/'), side: more.length > 0 ? sideOf(side) : 'both' }
  }
  if (top === 'features') return { ...place, layer: 'base' }
  if (top === 'base') return { ...place, layer: second === 'testing' ? 'testing' : 'base', side: rest.length > 0 ? sideOf(second) : 'both' }
  if (top === 'database') return { ...place, layer: 'database', side: 'server' }
  // Build plugins lie beside an app and run on neither side.
  if (top === 'apps' && !/-plugin\.ts$|^apps\/\w+\/building\//.test(path))
    return { ...place, layer: 'app', side: browserFolders.has(second) ? 'browser' : 'server' }
  return place
}

function sideOf(folder) {
  if (browserFolders.has(folder)) return 'browser'
  return folder === 'server' ? 'server' : 'both'
}

function resolved(from, specifier) {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from.path), specifier)
  if (!specifier.startsWith('#')) return null
  for (const [start, folder] of Object.entries(aliases)) if (specifier.startsWith(start)) return folder + specifier.slice(start.length)
  const [, feature, inside] = /^#([^/]+)(.*)/.exec(specifier)
  if (!inside) return `features/${feature}`
  return (folderOf(feature) ?? `features/unlisted/${feature}`) + inside
}

function aboutPackage(from, name) {
  if (isDeclaration(from) && !declarations[from.inside].includes(name)) return `${aloneText(from)}; ${name} is another package.`
  if (from.isTest || from.isForTests || from.layer === 'testing') return null
  if (from.side !== 'server' && serverPackages.test(name)) return `${name} is for the server; ${from.path} also runs in the browser.`
  if (from.side === 'server' && browserPackages.test(name)) return `${name} is for the browser; ${from.path} runs on the server.`
  return null
}

function aboutOrder({ feature }) {
  return feature === null || order.includes(feature) ? null : `features/${feature} does not stand in features/order.js.`
}

function aboutTesting(from, to) {
  const tests = from.isTest || from.isForTests || from.layer === 'testing'
  if (to.isTest) return 'A test is imported by nothing.'
  if (to.layer === 'outside') return from.isTest ? null : `The product does not import ${to.path}, which only builds or tests it.`
  if (to.layer === 'testing' && !tests) return `${to.path} is for tests; the product does not import it.`
  if (to.isForTests && !tests && from.layer !== 'database') return `${to.path} is for tests and the seed; the product does not import it.`
  return null
}

function isDeclaration({ inside }) {
  return Object.hasOwn(declarations, inside)
}

function aloneText({ inside }) {
  return `A ${inside} imports only ${['#base/', ...declarations[inside]].join(' and ')}, for every file may load it`
}

function aboutDeclaration(from, to) {
  if (!isDeclaration(from)) return null
  if (to.layer !== 'base') return `${aloneText(from)}; not ${to.path}.`
  return to.path.startsWith(lists) ? `A ${from.inside} knows no other one.` : null
}

function isInList(from, to) {
  return from.path.startsWith(lists) && isDeclaration(to)
}

function aboutManifests(from, to, isType) {
  const isForMembers = /^(apps|features\/[^/]+\/[^/]+)\/web\//.test(from.path) && !from.isTest
  if (isForMembers && to.path === manifests && !isType) return 'Pages of members do not load what is declared for staff; import a type.'
  return null
}

function aboutDirection(from, to) {
  // Tests and their kit import the whole program, so they stand above all.
  if (from.layer === 'testing' || from.isTest) return null
  if (to.layer === 'app' && from.layer !== 'app') return `Only apps import apps; ${from.path} stands below them.`
  if (to.layer === 'database') return aboutDatabase(from, to)
  if (to.layer !== 'feature') return null
  if (isInList(from, to)) return null
  if (from.layer === 'base') return `Base knows no feature; ${to.path} stands above it.`
  if (from.feature === null || from.feature === to.feature || order.indexOf(to.feature) < order.indexOf(from.feature)) return null
  return `${from.feature} stands above ${to.feature} in features/order.js, so it must not import it.`
}

function aboutDatabase(from, to) {
  if (from.layer === 'database' || from.layer === 'app' || openToServers.has(to.path)) return null
  return `Of database/ only tables.ts and migrate.ts are open to ${from.path}.`
}

function aboutDoor(from, to) {
  if (to.layer !== 'feature' || to.feature === from.feature || isOpen(to) || to.isForTests) return null
  if (isInList(from, to)) return null
  if ((from.layer === 'app' || from.layer === 'database' || from.isTest) && isForApps(to)) return null
  return `${to.path} is inside ${to.feature}; its neighbours use contract.ts, words/, or the file that bears its name.`
}

function isOpen({ feature, inside }) {
  // `all-rights.ts` and the like are lists of what features declare.
  if (/^((\w+-)?contract|all-\w+)\.ts$/.test(inside) || inside.startsWith('words/')) return true
  const [side, file, ...deeper] = inside.split('/')
  return deeper.length === 0 && doorSides.has(side) && (file === `${feature}.ts` || file === `${feature}.tsx`)
}

// Apps put features together: the server, its commands and the seed use their behaviour, the web their screens.
function isForApps({ inside }) {
  return /^(server|web|admin)\//.test(inside)
}

function aboutSide(from, to, isType) {
  if (from.isTest || from.isForTests || from.layer === 'testing') return null
  if (to.side === 'both' || to.side === from.side) return null
  if (isType && from.path === typeOnlyException.from && typeOnlyException.to.has(to.path)) return null
  if (from.side === 'both') return `${from.path} runs on both sides; ${to.path} only in the ${to.side}.`
  return `Browser and server code never import each other: ${to.path} is for the ${to.side}.`
}
