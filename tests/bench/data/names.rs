//! Names as in databases: people, companies, places, products. Composed of few parts, so that they share 3-grams like
//! real names.

const FIRST: [&str; 40] = [
    "Maria", "James", "Anna", "Peter", "Fatima", "Chen", "Olga", "Lucas", "Sofia", "David", "Amara", "Jonas", "Elena",
    "Mark", "Priya", "Omar", "Grace", "Hugo", "Ines", "Karl", "Leila", "Martin", "Nadia", "Oscar", "Paula", "Quentin",
    "Rosa", "Samuel", "Teresa", "Umberto", "Vera", "William", "Ximena", "Yusuf", "Zoe", "Andrea", "Beatrice", "Carlos",
    "Daniela", "Erik",
];
const INITIAL: [&str; 6] = ["", "A. ", "J. ", "M. ", "R. ", "de "];
const START: [&str; 40] = [
    "Hart", "Kowal", "Brook", "Ander", "Fischer", "Mont", "Silver", "Wester", "North", "Black", "Green", "Rosen",
    "Lind", "Berg", "Castel", "Dun", "Eastern", "Fair", "Gold", "High", "Inver", "Jack", "King", "Lang", "Mac", "New",
    "Oliv", "Peter", "Quin", "Rich", "Sander", "Thorn", "Under", "Val", "Whit", "York", "Zimmer", "Ash", "Bel", "Craw",
];
const MIDDLE: [&str; 12] = ["", "a", "e", "en", "er", "i", "in", "o", "or", "s", "el", "an"];
const END: [&str; 30] = [
    "son", "ski", "field", "man", "mann", "ton", "ford", "berg", "stein", "ez", "ova", "ley", "wood", "worth", "dale",
    "mere", "well", "by", "ham", "den", "er", "ini", "escu", "sen", "land", "more", "stone", "hurst", "gate", "lock",
];
const TRADE: [&str; 40] = [
    "Bakery",
    "Logistics",
    "Consulting",
    "Electronics",
    "Foods",
    "Garden Centre",
    "Hardware",
    "Insurance",
    "Jewellers",
    "Kitchens",
    "Law Office",
    "Motors",
    "Networks",
    "Optics",
    "Plumbing",
    "Records",
    "Software",
    "Textiles",
    "Utilities",
    "Vineyards",
    "Woodworks",
    "Airlines",
    "Books",
    "Catering",
    "Dental Care",
    "Energy",
    "Films",
    "Glass",
    "Holdings",
    "Instruments",
    "Laboratories",
    "Media",
    "Partners",
    "Pharma",
    "Press",
    "Robotics",
    "Shipping",
    "Steel",
    "Travel",
    "Trading",
];
const FORM: [&str; 6] = [" Ltd", " Inc.", " GmbH", " & Sons", " Group", ""];
const AREA: [&str; 12] =
    ["", "Upper ", "Lower ", "New ", "Saint ", "Great ", "Little ", "Old ", "Port ", "Mount ", "Lake ", "Fort "];
const PLACE: [&str; 40] = [
    "field", "brook", "ville", "ton", "ford", "bury", "haven", "mouth", "wick", "stead", "dale", "port", "burgh",
    "ham", "minster", "chester", "bridge", "cliff", "shore", "wood", "hill", "mere", "thorpe", "by", "gate", "moor",
    "holm", "ness", "pool", "worth", "lake", "springs", "falls", "heim", "hausen", "stadt", "polis", "abad", "grad",
    "rica",
];
const INSTITUTION: [&str; 60] = [
    "Elementary School",
    "High School",
    "Public Library",
    "County Office of Education",
    "General Hospital",
    "City Council",
    "Railway Station",
    "Airport",
    "Museum of Art",
    "University",
    "Community College",
    "Fire Station",
    "Police Department",
    "Town Hall",
    "Botanical Garden",
    "National Park",
    "Golf Club",
    "Football Club",
    "Theatre",
    "Opera House",
    "Cathedral",
    "Market",
    "Harbour",
    "Stadium",
    "Zoo",
    "Aquarium",
    "Courthouse",
    "Post Office",
    "Power Station",
    "Water Works",
    "Brewery",
    "Cinema",
    "Concert Hall",
    "Crossing",
    "Dental Clinic",
    "Eye Clinic",
    "Farm",
    "Gallery",
    "Health Centre",
    "Industrial Estate",
    "Junction",
    "Kindergarten",
    "Lighthouse",
    "Medical Centre",
    "Nature Reserve",
    "Observatory",
    "Primary School",
    "Quarry",
    "Racecourse",
    "Shopping Centre",
    "Swimming Pool",
    "Tennis Club",
    "Terminal",
    "Tower",
    "Unified School District",
    "Viaduct",
    "Village Hall",
    "Wharf",
    "Yacht Club",
    "Youth Hostel",
];
const PART: [&str; 4] = ["", " North", " East", " Central"];
const MANNER: [&str; 40] = [
    "Classic",
    "Modern",
    "Portable",
    "Deluxe",
    "Compact",
    "Wireless",
    "Folding",
    "Organic",
    "Vintage",
    "Premium",
    "Basic",
    "Heavy Duty",
    "Lightweight",
    "Stackable",
    "Adjustable",
    "Waterproof",
    "Insulated",
    "Recycled",
    "Handmade",
    "Electric",
    "Smart",
    "Slim",
    "Curved",
    "Round",
    "Square",
    "Tall",
    "Wide",
    "Mini",
    "Jumbo",
    "Outdoor",
    "Indoor",
    "Travel",
    "Family",
    "Office",
    "Kids",
    "Professional",
    "Quiet",
    "Cordless",
    "Solar",
    "Magnetic",
];
const MATERIAL: [&str; 30] = [
    "Steel",
    "Oak",
    "Linen",
    "Cotton",
    "Leather",
    "Glass",
    "Bamboo",
    "Ceramic",
    "Copper",
    "Aluminium",
    "Walnut",
    "Marble",
    "Plastic",
    "Rubber",
    "Silk",
    "Wool",
    "Velvet",
    "Cork",
    "Concrete",
    "Brass",
    "Nylon",
    "Granite",
    "Pine",
    "Canvas",
    "Denim",
    "Felt",
    "Rattan",
    "Titanium",
    "Acrylic",
    "Porcelain",
];
const ITEM: [&str; 60] = [
    "Kettle",
    "Chair",
    "Desk Lamp",
    "Dining Table",
    "Bowl",
    "Backpack",
    "Water Bottle",
    "Coffee Maker",
    "Bookshelf",
    "Mirror",
    "Cutting Board",
    "Frying Pan",
    "Blanket",
    "Pillow",
    "Notebook",
    "Umbrella",
    "Wallet",
    "Watch",
    "Headphones",
    "Keyboard",
    "Speaker",
    "Bicycle Bell",
    "Toolbox",
    "Drill",
    "Hammer",
    "Ladder",
    "Planter",
    "Garden Hose",
    "Lunch Box",
    "Mug",
    "Teapot",
    "Vase",
    "Clock",
    "Picture Frame",
    "Candle Holder",
    "Rug",
    "Curtain",
    "Towel",
    "Bath Mat",
    "Soap Dish",
    "Storage Basket",
    "Coat Rack",
    "Shoe Rack",
    "Stool",
    "Bench",
    "Sofa",
    "Bed Frame",
    "Nightstand",
    "Wardrobe",
    "Cabinet",
    "Tray",
    "Jar",
    "Salt Mill",
    "Knife Set",
    "Spatula",
    "Whisk",
    "Baking Dish",
    "Sleeping Bag",
    "Tent",
    "Camping Stove",
];
const COLOUR: [&str; 20] = [
    "Black",
    "White",
    "Red",
    "Blue",
    "Green",
    "Grey",
    "Yellow",
    "Orange",
    "Purple",
    "Brown",
    "Navy",
    "Teal",
    "Ivory",
    "Rose",
    "Olive",
    "Silver",
    "Gold",
    "Charcoal",
    "Turquoise",
    "Beige",
];
const SIZE: [&str; 5] = ["", ", small", ", medium", ", large", ", set of 4"];

/// Returns the name with this number. A few names occur twice; callers that need distinct ones must check.
pub fn name(number: u64) -> String {
    let mut pick = Picker::new(number / 4);
    match number % 4 {
        0 => format!("{} {}{}", pick.of(&FIRST), pick.of(&INITIAL), pick.family()),
        1 => format!("{} {}{}", pick.family(), pick.of(&TRADE), pick.of(&FORM)),
        2 => {
            let (start, end) = (pick.of(&START), pick.of(&PLACE));
            format!("{}{start}{end} {}{}", pick.of(&AREA), pick.of(&INSTITUTION), pick.of(&PART))
        }
        _ => format!(
            "{} {} {}, {}{}",
            pick.of(&MANNER),
            pick.of(&MATERIAL),
            pick.of(&ITEM),
            pick.of(&COLOUR).to_lowercase(),
            pick.of(&SIZE)
        ),
    }
}

/// Selects parts by the digits of a number, scrambled so that neighbours are unrelated.
struct Picker(u64);

impl Picker {
    /// The prime exceeds the number of combinations and is coprime to the factor, so that every smaller number has a
    /// unique value.
    fn new(number: u64) -> Self {
        const PRIME: u64 = 3_450_017;
        Self(number % PRIME * 1_618_033 % PRIME)
    }

    fn of(&mut self, parts: &[&'static str]) -> &'static str {
        let part = parts[(self.0 % parts.len() as u64) as usize];
        self.0 /= parts.len() as u64;
        part
    }

    fn family(&mut self) -> String {
        [self.of(&START), self.of(&MIDDLE), self.of(&END)].concat()
    }
}

/// Returns the name as a user might type it: exact, misspelt, shortened or in a different case.
pub fn typed(name: &str, number: u64) -> String {
    let chars: Vec<char> = name.chars().collect();
    // Never the first letter, which users rarely mistype.
    let at = 1 + (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) as usize % (chars.len() - 2);
    let edited =
        |replace: &[char], past: usize| -> String { [&chars[..at], replace, &chars[past..]].concat().iter().collect() };
    match number % 6 {
        0 => name.to_owned(),
        1 => edited(&[chars[at + 1], chars[at]], at + 2),
        2 => edited(&[], at + 1),
        3 => edited(&['x'], at + 1).to_uppercase(),
        4 => name.rsplit_once(' ').map_or(name, |(front, _)| front).to_owned(),
        _ => {
            let (first, rest) = name.split_once(' ').unwrap_or((name, ""));
            format!("{} {rest}", first.chars().take(4).collect::<String>())
        }
    }
}
