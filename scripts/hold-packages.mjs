// A preload for programs that run on the packages of their working directory.
import { holdPackages } from './packages-in-use.mjs'

export const packagesLock = holdPackages(process.cwd())
