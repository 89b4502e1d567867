import { throughEveryStaffScreen } from './through-every-staff-screen.ts'

throughEveryStaffScreen({ language: 'en', theme: 'dark', width: 'desktop' })
