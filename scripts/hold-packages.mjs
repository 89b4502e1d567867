// Loaded before a program that runs on the packages of the folder it is started in.
import { holdPackages } from './packages-in-use.mjs'

export const held = holdPackages(process.cwd())
