/** What the pages of a made-up town speak of. The first word of a topic is what somebody looks for; its pages need not say it. */
export const topics: Readonly<Record<string, readonly string[]>> = {
  budget: ["budget", "expenditure", "revenue", "fiscal", "spending", "appropriation", "deficit", "levy", "treasurer", "audit"],
  housing: ["housing", "tenants", "rent", "apartments", "eviction", "landlord", "dwelling", "mortgage", "homeless", "shelter"],
  transport: ["transport", "buses", "tram", "railway", "timetable", "cycling", "parking", "traffic", "commuters", "station"],
  water: ["water", "sewer", "drought", "reservoir", "pipes", "drainage", "hydrant", "wells", "flood", "meter"],
  school: ["school", "pupils", "teachers", "classroom", "curriculum", "kindergarten", "exam", "homework", "tuition", "campus"],
  health: ["health", "clinic", "vaccination", "nurses", "hospital", "disease", "patients", "pharmacy", "hygiene", "therapy"],
  parks: ["parks", "playground", "trees", "garden", "trail", "picnic", "meadow", "lawn", "wildlife", "benches"],
  police: ["police", "patrol", "burglary", "officers", "crime", "warrant", "theft", "arrest", "precinct", "detective"],
  library: ["library", "books", "novel", "reading", "archive", "authors", "lending", "catalogue", "manuscript", "poetry"],
  elections: ["elections", "ballot", "voters", "candidates", "polling", "campaign", "turnout", "referendum", "mayor", "precincts"],
  energy: ["energy", "electricity", "solar", "turbines", "grid", "heating", "insulation", "gas", "boiler", "outage"],
  waste: ["waste", "recycling", "bins", "landfill", "compost", "collection", "litter", "glass", "hazardous", "truck"],
};

export const fillers =
  "town people year plan report office notice public service street council new open day work time local page information meeting area week number place project group form contact list update city hall residents event programme guide".split(
    " ",
  );

export const silentAnchors = ["Read more", "Details", "More", "Continue", "View", "Open", "Here", "Show item"];
