import { throughEveryScreen } from './through-every-screen.ts'

throughEveryScreen({ language: 'zh', theme: 'light', width: 'phone' })
