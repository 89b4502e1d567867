import { Component, Suspense, type ComponentType, type ReactNode } from 'react'

/**
 * The places of pages where features show something of theirs, with the props of the components. The owner of a place declares it by declaration
 * merging, beside the component that renders it.
 */
export interface Places {}

/** The components that a feature shows at places: its `web/places.tsx` and `web/form-places.tsx`, or `admin/places.tsx` for staff. */
export type PlaceComponents = { readonly [Name in keyof Places]?: ComponentType<Places[Name]> }

let features: readonly PlaceComponents[] = []

/** Adds the components of features, in their order on the page. */
export function addPlaces(more: readonly PlaceComponents[]): void {
  features = [...features, ...more]
}

/** All that features show at this place. A component that fails is left out, and the rest of the page stays. */
export function Place<Name extends keyof Places>({ name, ...props }: { name: Name } & Places[Name]) {
  return features.map((feature, index) => {
    const Shown = feature[name] as ComponentType<object> | undefined
    return (
      Shown && (
        <PlaceBoundary key={index}>
          <Suspense>
            <Shown {...props} />
          </Suspense>
        </PlaceBoundary>
      )
    )
  })
}

/**
 * The same for places within a line and for those of every post: without a boundary, which would leave marks in the HTML of each. A failure is
 * one of the page.
 */
export function InlinePlace<Name extends keyof Places>({ name, ...props }: { name: Name } & Places[Name]) {
  return features.map((feature, index) => {
    const Shown = feature[name] as ComponentType<object> | undefined
    return Shown && <Shown key={index} {...props} />
  })
}

// React has error boundaries as classes alone, and on the server only `Suspense` contains an error.
class PlaceBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { hasFailed: false, children: this.props.children }

  static getDerivedStateFromError(): Pick<BoundaryState, 'hasFailed'> {
    return { hasFailed: true }
  }

  // With other data, such as those of the next thread, it may succeed.
  static getDerivedStateFromProps({ children }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return children === state.children ? null : { hasFailed: false, children }
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children
  }
}

type BoundaryProps = { children: ReactNode }
type BoundaryState = BoundaryProps & { hasFailed: boolean }
