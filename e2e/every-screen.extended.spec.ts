import { throughEveryScreen } from './through-every-screen.ts'

throughEveryScreen({ language: 'en', theme: 'dark', width: 'phone' })
