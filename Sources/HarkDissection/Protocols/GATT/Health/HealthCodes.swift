/// What the codes in values of health services mean. GATT Specification Supplement, 3.
enum HealthCodes {
  // Heart Rate Service 1.0, 3.1, 3.2
  static let contact: [UInt64: StaticString] = [
    0: "not supported", 1: "not supported", 2: "supported, not detected",
    3: "supported, detected",
  ]
  static let bodyLocations: [UInt64: StaticString] = [
    0: "Other", 1: "Chest", 2: "Wrist", 3: "Finger", 4: "Hand", 5: "Ear Lobe", 6: "Foot",
  ]
  // Health Thermometer Service 1.0, 3.1, 3.2
  static let thermometerFlags: [UInt64: StaticString] = [
    0: "Fahrenheit", 1: "Time Stamp present", 2: "Temperature Type present",
  ]
  static let temperatureTypes: [UInt64: StaticString] = [
    1: "Armpit", 2: "Body (general)", 3: "Ear (usually earlobe)", 4: "Finger",
    5: "Gastro-intestinal Tract", 6: "Mouth", 7: "Rectum", 8: "Toe",
    9: "Tympanum (ear drum)",
  ]
  // Blood Pressure Service 1.1.1, 3.1, 3.3
  static let pressureFlags: [UInt64: StaticString] = [
    0: "kPa", 1: "Time Stamp present", 2: "Pulse Rate present", 3: "User ID present",
    4: "Measurement Status present",
  ]
  static let pressureStatus: [UInt64: StaticString] = [
    0: "Body movement during measurement", 1: "Cuff too loose", 2: "Irregular pulse detected",
    3: "Pulse rate exceeds upper limit", 4: "Pulse rate is less than lower limit",
    5: "Improper measurement position",
  ]
  static let pressureFeatures: [UInt64: StaticString] = [
    0: "Body Movement Detection", 1: "Cuff Fit Detection", 2: "Irregular Pulse Detection",
    3: "Pulse Rate Range Detection", 4: "Measurement Position Detection", 5: "Multiple Bond",
    6: "E2E-CRC", 7: "User Data Service", 8: "User Facing Time",
  ]
  // Glucose Service 1.0.1, 3.1
  static let glucoseFlags: [UInt64: StaticString] = [
    0: "Time Offset present", 1: "Glucose Concentration, Type and Sample Location present",
    2: "mol/L", 3: "Sensor Status Annunciation present", 4: "Context Information follows",
  ]
  static let glucoseTypes: [UInt64: StaticString] = [
    1: "Capillary Whole blood", 2: "Capillary Plasma", 3: "Venous Whole blood",
    4: "Venous Plasma", 5: "Arterial Whole blood", 6: "Arterial Plasma",
    7: "Undetermined Whole blood", 8: "Undetermined Plasma", 9: "Interstitial Fluid (ISF)",
    10: "Control Solution",
  ]
  static let sampleLocations: [UInt64: StaticString] = [
    1: "Finger", 2: "Alternate Site Test (AST)", 3: "Earlobe", 4: "Control solution",
    5: "Subcutaneous tissue", 15: "not available",
  ]
  static let glucoseStatus: [UInt64: StaticString] = [
    0: "Device battery low", 1: "Sensor malfunction", 2: "Sample size insufficient",
    3: "Strip insertion error", 4: "Strip type incorrect", 5: "Sensor result too high",
    6: "Sensor result too low", 7: "Sensor temperature too high",
    8: "Sensor temperature too low", 9: "Sensor read interrupted", 10: "General device fault",
    11: "Time fault",
  ]
  static let glucoseFeatures: [UInt64: StaticString] = [
    0: "Low Battery Detection", 1: "Sensor Malfunction Detection", 2: "Sensor Sample Size",
    3: "Sensor Strip Insertion Error Detection", 4: "Sensor Strip Type Error Detection",
    5: "Sensor Result High-Low Detection", 6: "Sensor Temperature High-Low Detection",
    7: "Sensor Read Interrupt Detection", 8: "General Device Fault", 9: "Time Fault",
    10: "Multiple Bond",
  ]
  // Glucose Service 1.0.1, 3.2
  static let contextFlags: [UInt64: StaticString] = [
    0: "Carbohydrate present", 1: "Meal present", 2: "Tester and Health present",
    3: "Exercise present", 4: "Medication present", 5: "Medication in litres",
    6: "HbA1c present", 7: "Extended Flags present",
  ]
  static let carbohydrates: [UInt64: StaticString] = [
    1: "Breakfast", 2: "Lunch", 3: "Dinner", 4: "Snack", 5: "Drink", 6: "Supper", 7: "Brunch",
  ]
  static let meals: [UInt64: StaticString] = [
    1: "Preprandial", 2: "Postprandial", 3: "Fasting", 4: "Casual", 5: "Bedtime",
  ]
  static let testers: [UInt64: StaticString] = [
    1: "Self", 2: "Health Care Professional", 3: "Lab test", 15: "not available",
  ]
  static let healths: [UInt64: StaticString] = [
    1: "Minor health issues", 2: "Major health issues", 3: "During menses",
    4: "Under stress", 5: "No health issues", 15: "not available",
  ]
  static let medications: [UInt64: StaticString] = [
    1: "Rapid acting insulin", 2: "Short acting insulin", 3: "Intermediate acting insulin",
    4: "Long acting insulin", 5: "Pre-mixed insulin",
  ]
  // Glucose Service 1.0.1, 3.4
  static let recordOpcodes: [UInt64: StaticString] = [
    1: "Report stored records", 2: "Delete stored records", 3: "Abort operation",
    4: "Report number of stored records", 5: "Number of stored records response",
    6: "Response Code", 7: "Combined Report", 8: "Combined Report Response",
  ]
  static let recordOperators: [UInt64: StaticString] = [
    0: "Null", 1: "All records", 2: "Less than or equal to", 3: "Greater than or equal to",
    4: "Within range of (inclusive)", 5: "First record", 6: "Last record",
  ]
  static let recordResponses: [UInt64: StaticString] = [
    1: "Success", 2: "Op Code not supported", 3: "Invalid Operator",
    4: "Operator not supported", 5: "Invalid Operand", 6: "No records found",
    7: "Abort unsuccessful", 8: "Procedure not completed", 9: "Operand not supported",
  ]
  // Pulse Oximeter Service 1.0.1, 3.1, 3.2
  static let spotCheckFlags: [UInt64: StaticString] = [
    0: "Timestamp present", 1: "Measurement Status present",
    2: "Device and Sensor Status present", 3: "Pulse Amplitude Index present",
    4: "Device Clock is Not Set",
  ]
  static let continuousFlags: [UInt64: StaticString] = [
    0: "SpO2PR-Fast present", 1: "SpO2PR-Slow present", 2: "Measurement Status present",
    3: "Device and Sensor Status present", 4: "Pulse Amplitude Index present",
  ]
  static let oximeterStatus: [UInt64: StaticString] = [
    5: "Measurement Ongoing", 6: "Early Estimated Data", 7: "Validated Data",
    8: "Fully Qualified Data", 9: "Data from Measurement Storage",
    10: "Data for Demonstration", 11: "Data for Testing", 12: "Calibration Ongoing",
    13: "Measurement Unavailable", 14: "Questionable Measurement Detected",
    15: "Invalid Measurement Detected",
  ]
  static let oximeterSensor: [UInt64: StaticString] = [
    0: "Extended Display Update Ongoing", 1: "Equipment Malfunction Detected",
    2: "Signal Processing Irregularity Detected", 3: "Inadequate Signal Detected",
    4: "Poor Signal Detected", 5: "Low Perfusion Detected", 6: "Erratic Signal Detected",
    7: "Nonpulsatile Signal Detected", 8: "Questionable Pulse Detected",
    9: "Signal Analysis Ongoing", 10: "Sensor Interference Detected",
    11: "Sensor Unconnected to User", 12: "Unknown Sensor Connected",
    13: "Sensor Displaced", 14: "Sensor Malfunctioning", 15: "Sensor Disconnected",
  ]
  // Continuous Glucose Monitoring Service 1.0.2, 3.1, 3.2
  static let monitorFlags: [UInt64: StaticString] = [
    0: "CGM Trend Information present", 1: "CGM Quality present", 5: "Warning-Octet present",
    6: "Cal/Temp-Octet present", 7: "Status-Octet present",
  ]
  static let monitorStatus: [UInt64: StaticString] = [
    0: "Session stopped", 1: "Device battery low", 2: "Sensor type incorrect for device",
    3: "Sensor malfunction", 4: "Device specific alert", 5: "General device fault",
    8: "Time synchronization between sensor and collector required",
    9: "Calibration not allowed", 10: "Calibration recommended", 11: "Calibration required",
    12: "Sensor temperature too high for valid test/result",
    13: "Sensor temperature too low for valid test/result", 14: "Calibration pending",
    16: "Sensor result lower than the Patient Low level",
    17: "Sensor result higher than the Patient High level",
    18: "Sensor result lower than the Hypo level",
    19: "Sensor result higher than the Hyper level",
    20: "Sensor Rate of Decrease exceeded", 21: "Sensor Rate of Increase exceeded",
    22: "Sensor result lower than the device can process",
    23: "Sensor result higher than the device can process",
  ]
}
